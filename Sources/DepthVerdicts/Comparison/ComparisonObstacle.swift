import DepthEvaluation

/// Why the errors of two methods do not show which is better.
public enum ComparisonObstacle: String, Codable, Sendable {
  /// One is fitted to the truth, the other is not.
  case fit
  /// The one with the lower error leaves out pixels that the other covers.
  case coverage

  /// Whoever leaves out more than this share of the truth is not better.
  static let coverageLoss = 0.01
}

extension EvaluationRun {
  /// - Parameter ids: Of one method, by which it is called in the scenes.
  public func obstacle(of ids: [String], in comparison: PairedComparison) -> ComparisonObstacle? {
    let reference = comparison.reference
    if ids.contains(where: isFittedToTruth) != isFittedToTruth(reference) { return .fit }
    guard comparison.difference != 0, let own = coverage(of: ids), let other = coverage(of: [reference])
    else {
      return nil
    }
    // Where a LiDAR is, methods are compared on what it measures, and it may cover less than they do.
    let gap = comparison.difference < 0 ? other - own : basis.hasLidar ? 0 : own - other
    return gap > ComparisonObstacle.coverageLoss ? .coverage : nil
  }

  /// Share of the truth, the least of several forms.
  private func coverage(of ids: [String]) -> Double? {
    aggregation.summary.filter { ids.contains($0.method) }.compactMap { $0.value(.coverage) }.min()
  }
}
