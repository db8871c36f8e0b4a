import FathomStatistics

/// How a metric's values of several frames become that of all their pixels.
enum Pooling: Sendable, Equatable {
  case mean  // Weighted by predicted pixels.
  case rootMean  // The mean of the squares, weighted by predicted pixels, and its root.
  case share  // Weighted by truth pixels.
  case quantile(Double)  // From the histogram of errors.
  case scaleInvariant  // From `rmse_log` and the mean logarithmic error.
  /// How the sum over frames becomes the value, for those that have one.
  var isRoot: Bool { self == .rootMean }

  /// Whether a weighted mean (or its root) of frame values is the pooled value.
  var isWeightedMean: Bool {
    switch self {
    case .mean, .rootMean, .share: true
    case .quantile, .scaleInvariant: false
    }
  }
}

extension FrameRecord {
  /// A column's contribution to a pooled mean; nil where the frame has no value or the metric no such mean.
  func pooled(_ index: Int) -> WeightedSum? {
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

/// Sums of all pixels of some frames.
struct PooledSums {
  private var totals = MetricColumn.all.map { _ in WeightedSum() }
  private var errors = ErrorHistogram()
  /// Of the logarithmic error: mean squares and means.
  private var squares = WeightedSum(), means = WeightedSum()

  mutating func add(_ record: FrameRecord) {
    for index in totals.indices { if let part = record.pooled(index) { totals[index] += part } }
    guard let pixels = record.pixels else { return }
    errors.add(pixels.errors)
    if let part = record.pooled(MetricColumn.rmseLog.position), let mean = pixels.meanLogError {
      squares += part
      means += WeightedSum(sum: mean * part.weight, weight: part.weight)
    }
  }

  /// One per `MetricColumn.all`.
  var columns: [Double?] {
    MetricColumn.all.indices.map { index in
      let column = MetricColumn.all[index]
      guard let rule = column.metric.pooling else { return nil }
      switch rule {
      case .mean, .rootMean, .share: return totals[index].value(root: rule.isRoot)
      case .quantile(let q): return column.support == .all ? errors.quantile(q) : nil
      case .scaleInvariant: return column.support == .all ? silog : nil
      }
    }
  }

  private var silog: Double? {
    guard let square = squares.value(root: false), let mean = means.value(root: false) else { return nil }
    return 100 * max(0, square - mean * mean).squareRoot()
  }
}

/// The same of a bin.
struct PooledBins {
  private var totals = Breakdown.metrics.map { _ in WeightedSum() }

  mutating func add(_ bin: BinScores) {
    for index in totals.indices { if let part = bin.pooled(index) { totals[index] += part } }
  }

  /// One per `Breakdown.metrics`.
  var values: [Double?] {
    Breakdown.metrics.indices.map { index in
      guard let rule = Breakdown.metrics[index].pooling, rule.isWeightedMean else { return nil }
      return totals[index].value(root: rule.isRoot)
    }
  }
}

extension BinScores {
  /// A metric's contribution to a pooled mean; nil where the bin has no value or the metric no such mean.
  ///
  /// A bin's predicted pixels are its truth pixels times its coverage.
  func pooled(_ index: Int) -> WeightedSum? {
    guard let rule = Breakdown.metrics[index].pooling, rule.isWeightedMean, let value = values[index]
    else { return nil }
    let truth = Double(pixels)
    let coverage = Breakdown.position(of: .coverage).flatMap { values[$0] }
    let weight = rule == .share ? truth : (truth * (coverage ?? 1)).rounded()
    return WeightedSum(sum: (rule.isRoot ? value * value : value) * weight, weight: weight)
  }
}
