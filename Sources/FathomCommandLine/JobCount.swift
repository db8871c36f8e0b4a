import ArgumentParser
import FathomRuns

/// How many frames are worked on at once.
package struct JobCount: ExpressibleByArgument, Hashable {
  package let count: Int
  /// More than any machine has cores. Each frame takes memory and a thread.
  package static let range = 1...1024

  package init?(argument: String) {
    guard let count = Int(argument), Self.range.contains(count) else { return nil }
    self.count = count
  }
}

extension JobCount: DescribedArgument {
  package static var grammar: String { "a whole number from \(range.lowerBound) to \(range.upperBound)" }

  package static func meant(by word: String) -> String? {
    let cores = MachineLimits.current.cores
    return "each frame takes memory and a thread, and \(cores == 1 ? "1 core is" : "\(cores) cores are") here"
  }
}
