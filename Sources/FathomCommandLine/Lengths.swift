public import ArgumentParser
public import DepthCertification
import FathomPlainText

extension TapeReading: ExpressibleByArgument {}
extension WallTest.Target: ExpressibleByArgument {}

/// A length with its unit: "1.000m", "2mm".
package struct Length: ExpressibleByArgument, DescribedArgument {
  package let metres: Double
  package static let grammar = "a length with its unit (m, cm or mm), as in 1.000m"

  package init?(argument: String) {
    guard case .length(let metres)? = LimitValue(argument), metres > 0 else { return nil }
    self.metres = metres
  }
}

/// Lengths with their units and commas between them.
package struct LengthList: ExpressibleByArgument, DescribedArgument {
  package let metres: [Double]
  package static let grammar =
    "lengths with their unit (m, cm or mm) and commas between them, as in 1.000m,2.000m"

  package init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let lengths = parts.compactMap { Length(argument: String($0)) }
    guard lengths.count == parts.count else { return nil }
    metres = lengths.map(\.metres)
  }
}

/// "0.5%"
package struct Percentage: ExpressibleByArgument, DescribedArgument {
  package let share: Double
  package static let grammar = "a percentage with its sign, as in 0.5%"

  package init?(argument: String) {
    guard case .share(let share)? = LimitValue(argument), share <= 1 else { return nil }
    self.share = share
  }
}
