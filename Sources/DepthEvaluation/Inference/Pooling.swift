import Statistics

/// How a metric's values of several frames become that of all their pixels.
enum Pooling: Sendable, Equatable {
  /// Weighted by predicted pixels.
  case mean
  /// The mean of the squares, weighted by predicted pixels, and its root.
  case rootMean
  /// Weighted by truth pixels.
  case share
  /// From the histogram of errors.
  case quantile(Double)
  /// From `rmse_log` and the mean logarithmic error.
  case scaleInvariant

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

/// Values of all pixels of some frames.
enum PooledValues {
  /// One per `MetricColumn.all`.
  static func columns(_ records: [FrameRecord]) -> [Double?] {
    var errors: ErrorHistogram?
    return MetricColumn.all.indices.map { index in
      let column = MetricColumn.all[index]
      guard let rule = column.metric.pooling else { return nil }
      switch rule {
      case .mean, .rootMean, .share:
        var total = WeightedSum()
        for record in records { if let part = record.pooled(index) { total += part } }
        return total.value(root: rule.isRoot)
      case .quantile(let q):
        guard column.support == .all else { return nil }
        if errors == nil { errors = histogram(records) }
        return errors?.quantile(q)
      case .scaleInvariant:
        return column.support == .all ? silog(records) : nil
      }
    }
  }

  private static func histogram(_ records: [FrameRecord]) -> ErrorHistogram {
    var total = ErrorHistogram()
    for record in records { if let errors = record.pixels?.errors { total.add(errors) } }
    return total
  }

  private static func silog(_ records: [FrameRecord]) -> Double? {
    var (squares, means) = (WeightedSum(), WeightedSum())
    for record in records {
      guard let part = record.pooled(MetricColumn.rmseLog.position), let mean = record.pixels?.meanLogError
      else { continue }
      squares += part
      means += WeightedSum(sum: mean * part.weight, weight: part.weight)
    }
    guard let square = squares.value(root: false), let mean = means.value(root: false) else { return nil }
    return 100 * max(0, square - mean * mean).squareRoot()
  }

  /// One per `Breakdown.metrics`.
  static func bins(_ bins: [BinScores]) -> [Double?] {
    Breakdown.metrics.indices.map { index in
      guard let rule = Breakdown.metrics[index].pooling, rule.isWeightedMean else { return nil }
      var total = WeightedSum()
      for bin in bins { if let part = bin.pooled(index) { total += part } }
      return total.value(root: rule.isRoot)
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
