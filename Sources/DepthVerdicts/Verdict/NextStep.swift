import DepthEvaluation

/// What to do with the result: the one thing that would tell most.
public struct NextStep: Codable, Sendable, Equatable {
  public enum Kind: String, Codable, Sendable {
    /// Nothing is scored, because no scene has truth.
    case needsTruth = "needs-truth"
    /// The truth depends on the LiDAR: no gain over it can be shown. Never without a LiDAR, as the next.
    case needsIndependentTruth = "needs-independent-truth"
    /// There is no network's map to judge.
    case needsNetwork = "needs-network"
    /// The scenes cannot answer the run's question.
    case needsScenes = "needs-scenes"
    /// The question is answered: the frame with the largest error shows why.
    case look
  }

  public let kind: Kind
  /// Scenes that would show the difference that was found, where more are needed; nil for more than 100,000.
  public let scenes: Int?
  /// What to look at.
  public let method: String?, scene: String?, frame: String?

  /// - Parameter hasPredictions: Whether the data hold a network's prediction.
  /// - Parameter worst: Of the method under test, or of the best: where its error is largest.
  init(
    _ data: DataVerdict, _ ranking: RankingVerdict, _ contrast: ContrastVerdict?, hasPredictions: Bool,
    worst: (method: String, frame: RunTally.Worst)?
  ) {
    var (scenes, shown): (Int?, (method: String, frame: RunTally.Worst)?) = (nil, nil)
    // Where the LiDAR measures none of the truth, nothing can be said about the LiDAR.
    let measuresTruth = ranking.column == MetricColumn.maeMeasured.id
    if data.scored == 0 {
      kind = .needsTruth
    } else if data.hasLidar, data.withoutRelative.count == data.scored, !hasPredictions {
      kind = .needsNetwork
    } else if data.hasLidar, data.dependent == data.scored, measuresTruth {
      kind = .needsIndependentTruth
    } else if let contrast,
      contrast.outcome == .tooFewScenes
        || contrast.outcome == .undecided && contrast.comparison.outcome != .same
    {
      // Of two that are equal, more scenes would show no difference that matters.
      kind = .needsScenes
      // Without a number, no practical number of scenes would do.
      scenes =
        contrast.outcome == .undecided && contrast.detectable != nil && contrast.scenesForDifference == nil
        // So many as there are did not show it.
        ? nil
        : max(
          ContrastVerdict.fewestScenes, contrast.scenesForDifference ?? 0,
          contrast.outcome == .undecided ? contrast.comparison.scenes + 1 : 0)
    } else {
      kind = .look
      shown = worst
    }
    self.scenes = scenes
    (method, scene, frame) = (shown?.method, shown?.frame.scene, shown?.frame.frame)
  }
}
