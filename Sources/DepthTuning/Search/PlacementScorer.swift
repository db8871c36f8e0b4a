import DepthEvaluation
import DepthFusion

/// How far effects on boxes stand from where they belong, in maps of one frame.
struct PlacementScorer {
  private let scorer: BoxScorer

  /// nil where the frame has no camera.
  init?(_ plan: TuningPlan, _ scene: SceneContext, _ frame: DepthFrame, _ detections: FrameDetections) {
    guard
      let scorer = BoxScorer(
        plan.objects, seed: plan.seed, scene: scene, frame: frame, detections: detections)
    else { return nil }
    self.scorer = scorer
  }

  /// Median over the frame's objects, metres; nil where none has a box.
  func error(of map: DepthMap) -> Double? {
    OrderStatistics.median(of: scorer.placementErrors(in: map))
  }
}
