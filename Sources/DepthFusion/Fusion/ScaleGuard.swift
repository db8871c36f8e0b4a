import DepthCore

/// Says no to a fitted line, by limits on its slope or on what the pairs support.
struct ScaleGuard {
  private let options: FusionOptions
  init(_ options: FusionOptions) { self.options = options }

  /// Why the line is not accepted; nil where it is.
  func objection(to line: Line, of pairs: FitProblem) -> String? {
    let size = abs(line.scale)
    if size <= options.minScale ?? -1 || size >= options.maxScale ?? .infinity {
      return "|scale| outside \(options.minScale ?? 0)–\(options.maxScale ?? .infinity)"
    }
    if let least = options.minRankCorrelation {
      let correlation = abs(RankCorrelation.spearman(pairs.x, pairs.y) ?? 0)
      if correlation < least { return "rank correlation \(correlation) below \(least)" }
    }
    guard options.minScaleRatio != nil || options.maxScaleRatio != nil else { return nil }
    let (low, high) = (options.minScaleRatio ?? 0, options.maxScaleRatio ?? .infinity)
    guard let ratio = Self.ratio(size, pairs) else { return "scale ratio undefined: the depths do not vary" }
    if ratio <= options.minScaleRatio ?? -1 || ratio >= high {
      return "scale ratio \(ratio) outside \(low)–\(high)"
    }
    return nil
  }

  /// |α|·IQR(x)/IQR(y), without a unit: 1 where the line carries the middle half of x onto that of y.
  private static func ratio(_ size: Double, _ pairs: FitProblem) -> Double? {
    func spread(_ values: [Double]) -> Double {
      (OrderStatistics.quantile(0.75, of: values) ?? 0) - (OrderStatistics.quantile(0.25, of: values) ?? 0)
    }
    let target = spread(pairs.y)
    return target > 0 ? size * spread(pairs.x) / target : nil
  }
}

extension FusionOptions {
  /// Whether any guard may refuse a fitted line.
  public var hasScaleGuard: Bool {
    minScale != nil || maxScale != nil || minRankCorrelation != nil || minScaleRatio != nil
      || maxScaleRatio != nil
  }

  /// Whether the guards let a fitted line pass.
  /// - Parameter pairs: What it was fitted to; some guards look at it.
  public func acceptsScale(of line: Line, pairs: () -> FitProblem) -> Bool {
    ScaleGuard(self).objection(to: line, of: pairs()) == nil
  }
}
