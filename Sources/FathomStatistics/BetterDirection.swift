/// Which way a number is better.
public enum BetterDirection: String, Sendable, Codable {
  case lowerIsBetter, higherIsBetter
  /// Signed, best at zero.
  case zeroIsBest

  /// For table heads.
  public var arrow: String {
    switch self {
    case .lowerIsBetter: "↓"
    case .higherIsBetter: "↑"
    case .zeroIsBest: "→0"
    }
  }
}
