/// Figures that could not be drawn: what was attempted, why it failed, and what to do about it.
public struct ChartError: Error, Equatable, Sendable, CustomStringConvertible {
  /// An infinitive: "draw the figures".
  public let operation: String
  /// Why, one line; where gnuplot failed, in its own words.
  public let reason: String
  /// What to do, an imperative.
  public let advice: String

  public init(operation: String, reason: String, advice: String) {
    (self.operation, self.reason, self.advice) = (operation, reason, advice)
  }

  public var description: String { "cannot \(operation): \(reason); \(advice)" }
}
