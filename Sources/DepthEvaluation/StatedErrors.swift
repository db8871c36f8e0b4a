public import DepthCore
import DepthFusion

/// Errors of a frame's truth pixels beside the standard deviations that a method states of them.
public struct StatedErrors: Sendable {
  /// d − g, σ > 0 and d, metres, one per pixel with a usable σ.
  public var errors: [Double] = [], deviations: [Double] = [], depths: [Double] = []
  /// Confidence of the LiDAR pixel there; 2 without a confidence map.
  public var levels: [UInt8] = []
  /// Predicted truth pixels without a usable σ.
  public var unusable = 0

  public init() {}
}

extension EvaluationPlan {
  /// What the plan's first method states of a frame; nil where it gives no metric map, no standard deviations, or nothing counts.
  /// - Parameter history: The frames before, newest first.
  public func statedErrors(
    _ frame: DepthFrame, of scene: SceneContext, history: [DepthFrame] = []
  ) -> StatedErrors? {
    guard let record = fuse(frame, of: scene, history: history, deviation: true).first,
      record.fusion.status == .ok, let prediction = record.fusion.prediction, prediction.unit == .metres,
      let stated = record.fusion.deviation, var scorer = FrameScorer(frame, rules, of: scene)
    else { return nil }
    return scorer.statedErrors(of: prediction, stated, by: record.method)
  }
}
