/// How frames become one number.
public enum AggregationMode: String, Sendable, CaseIterable {
  /// Mean over the pixels of a frame, over the frames of a scene, over scenes: every scene counts once.
  case scene
  /// All pixels of all frames in one mean: large and complete frames count more.
  case pooled

  /// As the protocol prints it.
  public var summary: String {
    switch self {
    case .scene: "mean over pixels, then frames, then scenes"
    case .pooled: "pooled over all pixels, quantiles from \(ErrorHistogram.binCount) bins"
    }
  }
}

extension EvaluationProtocol {
  /// How frames become one number; anything but "pooled …" is the mean over scenes.
  public var aggregationMode: AggregationMode {
    get { aggregation.hasPrefix("pooled") ? .pooled : .scene }
    set { aggregation = newValue.summary }
  }
}
