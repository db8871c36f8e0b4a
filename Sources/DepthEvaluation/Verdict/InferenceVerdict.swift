import Statistics

/// What intervals and tests over so many scenes are worth.
public struct InferenceVerdict: Codable, Sendable, Equatable {
  /// Scenes with a value on measured pixels: the sample.
  public let scenes: Int
  /// Resamples behind every interval; 0 for one scene, which is a sample of one.
  public let resamples: Int
  /// Whether so few scenes make intervals too narrow.
  public let isTooNarrow: Bool
  /// Whether p is exact; else normal with correction for ties.
  public let isExact: Bool

  init(_ run: EvaluationRun) {
    scenes = Set(run.aggregation.scenes.filter { $0.value(.maeMeasured) != nil }.map(\.scene)).count
    resamples = scenes > 1 ? RunStatistics.resamples : 0
    isTooNarrow = scenes > 1 && scenes < RunStatistics.fewScenes
    isExact = scenes <= SignedRank.exactLimit
  }
}
