/// How many scenes show a difference: the power of Student's two-sided test of a mean over scenes.
///
/// The squared statistic has the noncentral F distribution with 1 and n − 1 degrees of freedom and λ = n·(δ/σ)².
/// - SeeAlso: Cohen 1988, "Statistical power analysis for the behavioral sciences", chapter 2.
public enum TTestPower {
  /// Level of significance.
  public static let level = 0.05
  /// How often a difference is to be found.
  public static let wanted = 0.8
  /// More scenes are not counted.
  public static let mostScenes = 100_000

  /// How often the test finds a difference.
  /// - Parameter effect: The difference over the standard deviation of the scenes' values.
  /// - Parameter scenes: At least 2.
  public static func power(effect: Double, scenes: Int) -> Double {
    let (count, freedom) = (Double(scenes), Double(scenes - 1))
    let noncentrality = count * effect * effect
    // So far out nothing of the distribution is left below any critical value.
    guard noncentrality <= TailProbabilities.largestNoncentrality else { return 1 }
    let critical = StudentDistribution.criticalValue(level, freedom: freedom)
    return TailProbabilities.noncentralF(critical * critical, 1, freedom, noncentrality: noncentrality)
  }

  /// The fewest scenes that find a difference with the wanted power, ``ConfidenceInterval/fewestScenes`` at least.
  /// - Parameter difference: Above 0, in the unit of `deviation`.
  /// - Parameter deviation: Standard deviation of the scenes' values.
  /// - Returns: nil for more than ``mostScenes``.
  public static func scenes(detecting difference: Double, deviation: Double) -> Int? {
    guard deviation > 0 else { return ConfidenceInterval.fewestScenes }
    let effect = difference / deviation
    func isEnough(_ scenes: Int) -> Bool { power(effect: effect, scenes: scenes) >= wanted }
    // Doubled first: a search from above would sum thousands of terms for nothing.
    var (low, high) = (ConfidenceInterval.fewestScenes, ConfidenceInterval.fewestScenes)
    while !isEnough(high) {
      guard high < mostScenes else { return nil }
      (low, high) = (high + 1, min(2 * high, mostScenes))
    }
    while low < high {
      let middle = (low + high) / 2
      if isEnough(middle) { high = middle } else { low = middle + 1 }
    }
    return high
  }

  /// The smallest difference that so many scenes find with the wanted power.
  public static func detectable(scenes: Int, deviation: Double) -> Double {
    deviation * TailProbabilities.argument(of: 1 - wanted) { 1 - power(effect: $0, scenes: scenes) }
  }
}
