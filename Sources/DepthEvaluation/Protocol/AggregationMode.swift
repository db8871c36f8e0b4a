public import DepthCore
import FathomStatistics

/// How frames become one number.
public enum AggregationMode: String, Sendable, CaseIterable, Codable, OptionValue {
  /// Mean over the pixels of a frame, over the frames of a scene, over scenes: every scene counts once.
  case scene
  /// Mean over the pixels of a frame, then over all frames: every frame counts once, a longer scene for more.
  case images
  /// All pixels of all frames in one mean: large and complete frames count more.
  case pooled

  /// As the protocol prints it.
  public var summary: String {
    switch self {
    case .scene: "mean over pixels, then frames, then scenes"
    case .images: "mean over pixels, then over all frames alike"
    case .pooled: "pooled over all pixels, quantiles from \(ErrorHistogram.binCount) bins"
    }
  }
}
