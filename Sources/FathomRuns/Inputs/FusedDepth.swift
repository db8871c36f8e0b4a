package import DepthCore
package import DepthDataset
import FathomPlainText
import DepthEvaluation
package import DepthFusion
package import FathomStorage

/// The map that `evaluate` scores for a method, frame by frame: same options, same random streams, same resolution.
package struct FusedDepth {
  private let plan: EvaluationPlan, context: SceneContext, method: MethodSelection

  /// Reads all frames of a scene that does not declare what its relative map means.
  package init(
    _ method: MethodSelection, of scene: SceneHeader, from reader: borrowing some FrameSource & ~Copyable,
    seed: UInt64
  ) throws(FathomError) {
    var context = SceneContext(header: scene, name: scene.name)
    try context.resolveKind { (index) throws(FathomError) in try reader.frame(index, of: scene) }
    (self.context, self.method) = (context, method)
    plan = EvaluationPlan(methods: [method], seed: seed)
  }

  package var arrays: FrameArrays { plan.arrays }  // Arrays that the method may look at.
  package var historyLength: Int { plan.historyLength }  // Frames before each one that the method looks at.

  /// The standard deviation that the method states of each pixel, metres; nil where it states none.
  /// - Parameter before: The frames before, newest first.
  package func deviation(of frame: DepthFrame, after before: [DepthFrame]) -> DepthMap? {
    let fusion = plan.fuse(frame, of: context, history: before, deviation: true).first?.fusion
    return fusion?.prediction?.unit == .metres ? fusion?.deviation : nil
  }

  /// - Parameter before: The frames before, newest first.
  /// - Throws: `FathomError` `.badData` where the method refuses the frame, with its reason.
  package func prediction(
    of frame: DepthFrame, after before: [DepthFrame], file: String
  ) throws(FathomError) -> Prediction {
    let scene = context.header
    let record = plan.evaluate(frame, of: context, history: before, keepsPredictions: true).first
    if let prediction = record?.fusion.prediction { return prediction }
    let reason =
      record.map { $0.fusion.reason ?? $0.fusion.status.rawValue } ?? "the scene has no such prediction"
    throw FathomError(
      .badData, attempted: "fuse frame \(scene.frameID(frame.index)) by \(method)", file: file,
      object: "scenes/\(scene.name)", reason: "\(reason)",
      advice: "choose another \(option: "source"); fathom evaluate shows which methods solve it")
  }
}
