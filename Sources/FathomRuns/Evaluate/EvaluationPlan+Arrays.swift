import DepthDataset
import DepthEvaluation
import DepthFusion

extension EvaluationPlan {
  /// The arrays of a frame that its methods look at. Images are large: they are read where a method wants them.
  var arrays: FrameArrays {
    var arrays = FrameArrays.fusion
    if methods.contains(where: { $0.storedName != nil }) { arrays.insert(.predictions) }
    if needsImage { arrays.insert(.image) }
    if labels != nil { arrays.insert(.ids) }
    return arrays
  }
}
