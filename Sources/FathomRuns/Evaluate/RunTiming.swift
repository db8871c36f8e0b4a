package import FathomRunFolders
import Foundation
import FathomPlainText

/// Collects what may differ between two equal runs.
package struct RunTiming {
  package let jobs: Int
  private let start = Date(), clock = ContinuousClock.now
  package private(set) var table = TimingTable(facts: [])
  private var stages: [(item: String, value: String)] = []
  package var protections: [String] = []  // What kept the readers of the data from doing anything else.
  package init(jobs: Int) { self.jobs = jobs }
  /// What is being done, and since when.
  private var stage: (name: String, since: ContinuousClock.Instant)?
  /// Seconds by stage, in the order in which they began.
  package private(set) var seconds: [(stage: String, seconds: Double)] = []

  /// Counts the time from now on for a stage.
  package mutating func begin(_ stage: JobStage) {
    endStage()
    self.stage = ("\(stage)", .now)
  }

  private mutating func endStage() {
    guard let stage else { return }
    let passed = stage.since.duration(to: .now) / .seconds(1)
    if let place = seconds.firstIndex(where: { $0.stage == stage.name }) {
      seconds[place].seconds += passed
    } else {
      seconds.append((stage.name, passed))
    }
    self.stage = nil
  }

  /// "fusing 8.2 s, summarising 0.3 s": where the time went.
  package var words: String {
    seconds.map { "\($0.stage) \(($0.seconds * 100).rounded() / 100) s" }.joined(separator: ", ")
  }

  /// Notes the time since the beginning under a name.
  package mutating func note(_ stage: String) {
    stages.append((stage, "\(clock.duration(to: .now) / .seconds(1))"))
  }

  /// - Parameter namesMachine: Whether the command line, which holds paths, and the host are noted. Run folders are shared, so this is
  ///   for those who ask for it.
  package mutating func finish(namesMachine: Bool) {
    endStage()
    let total = clock.duration(to: .now) / .seconds(1)
    let process = ProcessInfo.processInfo
    let machine = [
      ("command_line", CommandLine.arguments.map(\.shellQuoted).joined(separator: " ")),
      ("host", process.hostName), ("system", process.operatingSystemVersionString),
    ]
    table.facts =
      (namesMachine ? machine : []) + [
        ("started", start.formatted(.iso8601)), ("finished", Date().formatted(.iso8601)),
        ("total_seconds", "\(total)"), ("jobs", "\(jobs)"),
      ] + stages + seconds.map { ("\($0.stage)_seconds", "\($0.seconds)") }
      + protections.map { ("reader_protections", $0) }
  }
}
