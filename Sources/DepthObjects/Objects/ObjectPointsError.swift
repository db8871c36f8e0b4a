public enum ObjectPointsError: Error, Equatable, Sendable, CustomStringConvertible {
  /// An edge of its box is infinite or not a number.
  case boxNotFinite
  /// No return in its box is confident enough and in range.
  case noDepth

  public var description: String {
    switch self {
    case .boxNotFinite: "its box is not finite"
    case .noDepth: "no return in its box is confident enough and in range"
    }
  }
}
