import DepthEvaluation
import FathomStatistics

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
