import DepthCore
import DepthEvaluation
import DepthFusion
extension EvaluationRun { func isFittedToTruth(_ method: String) -> Bool { false } }
extension EvaluationPlan { func shown(_ r: FrameRecord, _ p: Prediction, of f: DepthFrame) -> DepthMap { p.depth } }
extension TruthAlignment {
  enum Fit { case none, byKind }
  enum Extent { case image, scene }
  var fit: Fit { .none }
  var extent: Extent { .image }
  var word: String { "" }
}
