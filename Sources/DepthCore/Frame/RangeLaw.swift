/// Standard deviation of a measured depth: σ(d) = √(a² + (b·d)²), metres.
public struct RangeLaw: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Part that does not depend on the range, metres.
  public var a: Double
  /// Part that grows with it, metres per metre.
  public var b: Double
  /// - Precondition: a and b are finite, not negative and not both 0; see ``isUsable``.
  public init(a: Double, b: Double) { (self.a, self.b) = (a, b) }
  /// The same at every range. Only ratios of weights matter, so the size does not.
  public static let constant = RangeLaw(a: 1, b: 0)
  public static let proportional = RangeLaw(a: 0, b: 1)

  /// From `constant`, `proportional` or `a,b` (`0.005,0.01`); nil for anything else.
  public init?(_ text: String) {
    switch text {
    case "constant": self = .constant
    case "proportional": self = .proportional
    default:
      let parts = text.split(separator: ",").map { Double($0.drop { $0 == " " }) }
      guard parts.count == 2, let a = parts[0], let b = parts[1] else { return nil }
      self.init(a: a, b: b)
      guard isUsable else { return nil }
    }
  }

  /// Whether it gives a positive σ at every positive depth.
  public var isUsable: Bool { a >= 0 && b >= 0 && a + b > 0 && a <= 1e6 && b <= 1e6 }

  public var description: String {
    switch self {
    case .constant: "constant"
    case .proportional: "proportional"
    default: "\(a),\(b)"
    }
  }

  /// σ at depth d, squared, m².
  public func variance(at depth: Double) -> Double { a * a + b * depth * (b * depth) }
}
