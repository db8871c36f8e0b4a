internal import DepthCore

/// What the kept pixels of a cell show without any model: what μ and σ are compared with.
public struct KeptPixels: Sendable, Equatable {
  public let count: Int
  /// Median of measured − true, metres.
  public let median: Double
  /// 1.4826 times the median absolute deviation from it, metres: the standard deviation, if they were Gaussian.
  public let deviation: Double

  /// - Returns: nil for no errors.
  init?(_ errors: [Double]) {
    guard let median = OrderStatistics.median(of: errors),
      let spread = OrderStatistics.median(of: errors.map { abs($0 - median) })
    else { return nil }
    (count, self.median, deviation) = (errors.count, median, OrderStatistics.normalConsistency * spread)
  }
}
