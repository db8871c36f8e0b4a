/// Student's t distribution: means of few units over their own standard error.
public enum StudentDistribution {
  /// P(|T| > t).
  /// - Parameter t: Any sign.
  /// - Parameter freedom: Degrees of freedom, positive.
  public static func twoSidedTail(_ t: Double, freedom: Double) -> Double {
    // From here on the distribution is normal within 1e-7, and the beta function begins to lose its digits.
    guard freedom < 1e7 else { return 2 * NormalDistribution.cumulative(-abs(t)) }
    return TailProbabilities.fisherF(t * t, 1, freedom)
  }

  /// The t that |T| exceeds with this probability; what an interval is widened by.
  /// - Parameter tail: Two-sided probability, 0 < tail ≤ 1: 0.05 for an interval of 95 %.
  /// - Parameter freedom: Degrees of freedom, positive.
  public static func criticalValue(_ tail: Double, freedom: Double) -> Double {
    TailProbabilities.argument(of: tail) { twoSidedTail($0, freedom: freedom) }
  }
}
