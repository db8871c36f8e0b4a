package import DepthReport
import Foundation

/// Collects what may differ between two equal runs.
package struct RunTiming {
  package let jobs: Int
  private let start = Date()
  private let clock = ContinuousClock.now
  package private(set) var table = TimingTable(facts: [])
  private var stages: [(item: String, value: String)] = []

  package init(jobs: Int) { self.jobs = jobs }

  /// Notes the time since the beginning under a name.
  package mutating func note(_ stage: String) {
    stages.append((stage, "\(clock.duration(to: .now) / .seconds(1))"))
  }

  package mutating func finish(data: [String], output: String) {
    let seconds = clock.duration(to: .now) / .seconds(1)
    table.facts =
      [
        ("command_line", CommandLine.arguments.joined(separator: " ")),
        ("host", ProcessInfo.processInfo.hostName),
        ("system", ProcessInfo.processInfo.operatingSystemVersionString),
        ("started", start.formatted(.iso8601)),
        ("finished", Date().formatted(.iso8601)),
        ("total_seconds", "\(seconds)"),
        ("jobs", "\(jobs)"),
      ] + stages + data.map { ("data", $0) } + [("output", output)]
  }
}
