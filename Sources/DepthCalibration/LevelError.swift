internal import FathomStatistics

/// The LiDAR's error at a confidence level, and whether it has a bias.
public struct LevelError: Codable, Sendable, Equatable {
  /// Of the mean absolute error: a smaller bias is not worth a word.
  public static let leastBiasShare = 0.25
  /// Median of |measured − true|/true over all its pixels.
  public var median: Double?
  /// The median as a multiple of the most confident level's; nil for that level itself.
  public var ratio: Double?
  /// What 95 % of the errors are smaller than, metres.
  public var p95: Double?
  /// Mean of |measured − true|, metres.
  public var mae: Double?
  /// Mean of measured − true, metres.
  public var bias: CalibrationVerdict.Estimate?
  /// Whether the bias makes a good part of the error, and its interval, where there is one, leaves out zero.
  public var isBiased: Bool

  /// - Returns: nil for a level without pixels.
  init?(_ level: Int, _ run: CalibrationRun) {
    guard let row = run.table.row(level: level) else { return nil }
    median = run.pooledMedian(level: level)
    let best = (0...2).last { run.table.row(level: $0) != nil } ?? level
    if best != level, let median, let reference = run.pooledMedian(level: best), reference > 0 {
      ratio = median / reference
    }
    (p95, mae) = (row.value(.p95), row.value(.mae))
    bias = row.value(.bias).map { value in
      let interval = row.interval(.bias)
      return CalibrationVerdict.Estimate(value, interval?.low, interval?.high)
    }
    isBiased = Self.isBiased(bias, mae: mae)
  }

  static func isBiased(_ bias: CalibrationVerdict.Estimate?, mae: Double?) -> Bool {
    guard let bias, let mae, abs(bias.value) >= leastBiasShare * mae else { return false }
    guard let low = bias.low, let high = bias.high else { return true }
    return low > 0 || high < 0
  }
}
