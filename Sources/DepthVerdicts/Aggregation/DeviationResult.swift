public import DepthEvaluation
public import FathomStatistics

/// How honest the standard deviations are that a method states of its maps, or what its scores of confidence are worth, over all scenes.
public struct DeviationResult: Sendable {
  /// Of one scene, or of all.
  public struct Row: Sendable {
    /// nil for all scenes.
    public let scene: String?
    public let method: String, frames: Int, pixels: Int
    /// One per `DeviationScore`.
    public let values: [Double?]
    /// What σ must be multiplied by so that |z| ≤ 1, and the interval of 95 %, hold as many pixels as they should; nil where no
    /// factor from some thousandths up to thousands does.
    public let typicalFactor: Double?, factor: Double?
    public func value(_ score: DeviationScore) -> Double? { values[score.position] }
  }

  public let whole: Row, scenes: [Row]
  /// Whether the method states confidences, which have an order and no scale.
  public let isOfConfidence: Bool
  /// What thresholds keep, from all pixels on; empty where no σ or confidence is usable.
  public let retained: [RetainedPixels]
  /// 95 % over scenes, one per `DeviationScore`; nil for fewer than four scenes.
  public let intervals: [ConfidenceInterval?]
  /// Scenes that have a usable σ or confidence.
  public let scenesWithValue: Int
  /// Shares of the pixels by Φ((g−d)/σ); empty where no σ is usable.
  public let transform: [Double]
  /// Root-mean-square σ and error by groups of pixels, metres; empty where no frame has enough pixels.
  public let groups: [(deviation: Double, error: Double)]
  public var method: String { whole.method }
  public func interval(_ score: DeviationScore) -> ConfidenceInterval? { intervals[score.position] }

  init(_ sums: DeviationSums, _ bootstrap: inout SceneBootstrap) {
    let values = zip(sums.scores, DeviationScore.allCases).map { $0.values(sums.mode, possible: $1.possible) }
    let byScene = values.map { values in
      Dictionary(zip(values.scenes, values.perScene(0)), uniquingKeysWith: { $1 })
    }
    func row(_ scene: String?, _ frames: Int, _ pixels: Int, _ values: [Double?], _ shares: [Double]) -> Row {
      let factors = [NormalDistribution.cumulative(1) - NormalDistribution.cumulative(-1), 0.95].map {
        Self.factor($0, shares.dropFirst(DeviationScores.transformBins))
      }
      return Row(
        scene: scene, method: sums.method, frames: frames, pixels: pixels, values: values,
        typicalFactor: factors[0], factor: factors[1])
    }
    let all = sums.whole
    scenes = sums.scenes.map { scene in
      row(scene.name, scene.frames, scene.pixels, byScene.map { $0[scene.name] }, scene.shares.values)
    }
    whole = row(
      nil, scenes.reduce(0) { $0 + $1.frames }, scenes.reduce(0) { $0 + $1.pixels },
      values.map { $0.value(0) },
      all.shares)
    intervals = values.map { bootstrap.interval(of: $0) }
    scenesWithValue = values[DeviationScore.ause.position].scenes.count
    isOfConfidence = sums.isOfConfidence
    retained = RetainedPixels.rows(
      sums.scenes.compactMap { scene in scene.curves.first.map { (scene.name, $0.curve, $0.weight) } },
      isOfConfidence: isOfConfidence, &bootstrap)
    transform = Array(all.shares.prefix(DeviationScores.transformBins))
    groups = zip(all.groups, all.groups.dropFirst(DeviationScores.groupCount)).map { ($0, $1) }
  }

  /// The |z| that a share of the pixels stays within, over that of a normal distribution; linear within a bin. nil beyond the bins.
  /// - Parameter shares: Of the pixels, by |z|.
  private static func factor(_ wanted: Double, _ shares: ArraySlice<Double>) -> Double? {
    var (below, low) = (0.0, 0.0)
    for (share, high) in zip(shares, DeviationScores.multiples) {
      if below + share >= wanted {
        // Of the first bin, that |z| is below its end is all that is known.
        guard low > 0 else { return nil }
        return (low + (high - low) * (wanted - below) / share) / NormalDistribution.quantile((1 + wanted) / 2)
      }
      (below, low) = (below + share, high)
    }
    return nil
  }
}
