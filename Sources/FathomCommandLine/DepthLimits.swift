import ArgumentParser
import DepthCore

/// "A:B", metres; either end may be omitted.
package struct DepthLimits: ExpressibleByArgument {
  package let range: ClosedRange<Double>

  package init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, argument != ":" else { return nil }
    let (near, far) = (
      parts[0].isEmpty ? 0 : Double(parts[0]), parts[1].isEmpty ? Double.infinity : Double(parts[1])
    )
    guard let near, let far, near >= 0, near < far else { return nil }
    range = near...far
  }

  /// Ends that were probably meant in another unit, as "name: why".
  package var doubts: [String] {
    [range.lowerBound, range.upperBound].compactMap { OptionUnit.metres.slip($0, usual: nil) }.prefix(1)
      .map { "depth-range: these are metres: \($0)" }
  }
}
