/// What to do with the result: the one thing that would tell most.
public struct NextStep: Codable, Sendable, Equatable {
  public enum Kind: String, Codable, Sendable {
    /// Nothing is scored, because no scene has truth.
    case needsTruth = "needs-truth"
    /// The truth depends on the LiDAR: no gain over it can be shown.
    case needsIndependentTruth = "needs-independent-truth"
    /// There is no network's map to judge.
    case needsNetwork = "needs-network"
    /// The scenes cannot answer the run's question.
    case needsScenes = "needs-scenes"
    /// The question is answered: the frame with the largest error shows why.
    case look
  }

  public let kind: Kind
  /// Scenes that would do, where more are needed.
  public let scenes: Int?
  /// What to look at.
  public let method: String?, scene: String?, frame: String?

  init(_ data: DataVerdict, _ contrast: ContrastVerdict?, hasPredictions: Bool, worst: RunTally.Worst?) {
    var (scenes, shown): (Int?, RunTally.Worst?) = (nil, nil)
    if data.scored == 0 {
      kind = .needsTruth
    } else if data.withoutRelative.count == data.scored, !hasPredictions {
      kind = .needsNetwork
    } else if data.dependent == data.scored {
      kind = .needsIndependentTruth
    } else if let contrast, contrast.outcome == .tooFewScenes || contrast.outcome == .undecided {
      kind = .needsScenes
      scenes = max(ContrastVerdict.fewestScenes, contrast.scenesForHalf ?? 0)
    } else {
      kind = .look
      shown = worst
    }
    self.scenes = scenes
    (method, scene, frame) = (shown.flatMap { _ in contrast?.comparison.method }, shown?.scene, shown?.frame)
  }
}
