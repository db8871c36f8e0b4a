package import FathomStatistics

/// How a metric's values of several frames become that of all their pixels.
package enum Pooling: Sendable, Equatable {
  case mean  // Weighted by predicted pixels.
  case rootMean  // The mean of the squares, weighted by predicted pixels, and its root.
  case share  // Weighted by truth pixels.
  case quantile(Double)  // From the histogram of errors.
  case scaleInvariant  // From `rmse_log` and the mean logarithmic error.
  /// How the sum over frames becomes the value, for those that have one.
  package var isRoot: Bool { self == .rootMean }

  /// Whether a weighted mean (or its root) of frame values is the pooled value.
  package var isWeightedMean: Bool {
    switch self {
    case .mean, .rootMean, .share: true
    case .quantile, .scaleInvariant: false
    }
  }
}

extension FrameRecord {
  /// A column's contribution to a pooled mean; nil where the frame has no value or the metric no such mean.
  package func pooled(_ index: Int) -> WeightedSum? {
    let column = MetricColumn.all[index]
    guard !values.isEmpty, let value = values[index], let pixels, let rule = column.metric.pooling
    else { return nil }
    let counts = pixels[column.support]
    switch rule {
    case .mean: return WeightedSum(sum: value * Double(counts.predicted), weight: Double(counts.predicted))
    case .rootMean:
      return WeightedSum(sum: value * value * Double(counts.predicted), weight: Double(counts.predicted))
    case .share: return WeightedSum(sum: value * Double(counts.truth), weight: Double(counts.truth))
    case .quantile, .scaleInvariant: return nil
    }
  }
}

extension BinScores {
  /// A metric's contribution to a pooled mean; nil where the bin has no value or the metric no such mean.
  ///
  /// A bin's predicted pixels are its truth pixels times its coverage.
  package func pooled(_ index: Int) -> WeightedSum? {
    guard let rule = Breakdown.metrics[index].pooling, rule.isWeightedMean, let value = values[index]
    else { return nil }
    let truth = Double(pixels)
    let coverage = Breakdown.position(of: .coverage).flatMap { values[$0] }
    let weight = rule == .share ? truth : (truth * (coverage ?? 1)).rounded()
    return WeightedSum(sum: (rule.isRoot ? value * value : value) * weight, weight: weight)
  }
}
