/// Why a method gives no box.
public enum BoxError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Fewer points than the method needs.
  case tooFewPoints(found: Int, needed: Int)
  /// A coordinate or depth is infinite or not a number.
  case notFinite
  /// LAPACK refused, in its words.
  case numerical(String)

  public var description: String {
    switch self {
    case .tooFewPoints(let found, let needed): "\(found) points, at least \(needed) needed"
    case .notFinite: "a coordinate or depth is not finite"
    case .numerical(let message): message
    }
  }
}
