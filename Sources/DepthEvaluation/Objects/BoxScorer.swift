public import DepthCore
import DepthFusion

/// Boxes the objects of one frame in maps that no method of a run made.
public struct BoxScorer: Sendable {
  private let evaluator: ObjectEvaluator

  /// - Parameter plan: Its reference method makes the boxes.
  /// - Returns: nil where the frame has no camera.
  public init?(
    _ plan: ObjectPlan, seed: UInt64, scene: SceneContext, frame: DepthFrame, detections: FrameDetections
  ) {
    var single = plan
    single.boxMethods = [plan.referenceMethod]
    guard
      let evaluator = ObjectEvaluator(single, seed: seed, scene: scene, frame: frame, detections: detections)
    else { return nil }
    self.evaluator = evaluator
  }

  /// Distance of an effect on an object's box from the effect on its true box, metres: the median over the objects that
  /// have both; nil where none has.
  public func placementError(in map: DepthMap) -> Double? {
    var fusion = FusionResult(status: .ok)
    fusion.prediction = Prediction(depth: map)
    let row = FrameRecord(
      scene: evaluator.scene.name, frameIndex: evaluator.frame.index, frame: "", method: Self.id, space: nil,
      role: .stored, fusion: fusion, values: [], breakdowns: [:], fusionSeconds: 0)
    let errors = evaluator.records(rows: [row], depths: [Self.id]).compactMap {
      ObjectMetric.placement.value($0).map { $0 / 100 }
    }
    return OrderStatistics.median(of: errors)
  }

  private static let id = "map"  // No method has this id.
}
