/// Whether a measured error keeps a symmetric limit, after JCGM 106:2012 with a guard band of U on either side of the limit.
public struct ConformityDecision: Sendable, Hashable, Codable {
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// |y| ≤ T − U.
    case conforms
    /// |y| ≥ T + U.
    case doesNotConform = "does-not-conform"
    /// The uncertainty does not allow either.
    case undecided
  }

  /// T: the largest error allowed, either sign.
  public let limit: Double
  /// g: the width of the guard band, which is the expanded uncertainty.
  public let guardBand: Double
  public let outcome: Outcome
  /// P(|Y| ≤ T) for a Student distribution about the measured value: conformance probability (JCGM 106, 7.2). One minus it is the specific
  /// risk of accepting, it the specific risk of rejecting.
  public let probability: Double

  /// - Parameter value: The measured error.
  /// - Parameter limit: T, positive, in the same unit.
  public init(_ value: Double, limit: Double, _ budget: UncertaintyBudget) {
    (self.limit, guardBand) = (limit, budget.expanded)
    outcome =
      abs(value) <= limit - guardBand
      ? .conforms : abs(value) >= limit + guardBand ? .doesNotConform : .undecided
    let deviation = budget.combined
    func below(_ bound: Double) -> Double {
      guard deviation > 0 else { return value <= bound ? 1 : 0 }
      let t = (bound - value) / deviation
      guard let freedom = budget.freedom else { return NormalDistribution.cumulative(t) }
      let tail = StudentDistribution.twoSidedTail(t, freedom: freedom) / 2
      return t < 0 ? tail : 1 - tail
    }
    probability = max(0, below(limit) - below(-limit))
  }
}
