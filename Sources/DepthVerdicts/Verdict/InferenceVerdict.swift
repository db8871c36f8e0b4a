import FathomStatistics

/// What intervals and tests over so many scenes are worth.
public struct InferenceVerdict: Codable, Sendable, Equatable {
  /// Scenes with a value on the pixels of the comparison, ``ComparisonBasis/support``: the sample.
  public let scenes: Int
  /// Resamples behind every BCa interval; 0 where there are too few scenes for one.
  public let resamples: Int
  /// Whether p is exact; else normal with correction for ties.
  public let isExact: Bool

  init(_ run: EvaluationRun) {
    scenes = Set(run.aggregation.scenes.filter { $0.value(run.basis.mae) != nil }.map(\.scene)).count
    resamples = scenes >= ConfidenceInterval.fewestScenes ? RunStatistics.resamples : 0
    isExact = scenes <= SignedRank.exactLimit
  }
}
