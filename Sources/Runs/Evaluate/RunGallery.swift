import DepthCore
import DepthDataset
import DepthEvaluation
import DepthFusion
import DepthReport

/// Reads and fuses the frames of a run that are worth looking at, and draws them.
struct RunGallery {
  let run: EvaluationRun
  let inputs: RunInputs

  /// nil where no frame was scored.
  ///
  /// - Throws: `FathomError`, `GraphicsError`.
  func paint() throws -> GalleryPainter.Pictures? {
    guard let selection = GallerySelection(run) else { return nil }
    var plan = run.plan
    (plan.methods, plan.paths, plan.objects) = ([selection.method], nil, nil)
    var views: [GalleryPainter.Views] = []
    for pick in selection.picks {
      guard let file = file(of: pick.record.scene),
        let scene = run.scenes.first(where: { $0.name == pick.record.scene })
      else { continue }
      var history = FrameHistory(length: plan.historyLength)
      let (frame, before) = try file.source.frame(
        pick.record.frameIndex, of: scene.header, including: [.fusion, .predictions, .image], after: &history)
      let row = plan.evaluate(frame, of: scene, history: before, keepsPredictions: true).first
      guard let map = row?.fusion.prediction?.depth else { continue }
      if let view = GalleryPainter.Views(pick, frame, fused: map) { views.append(view) }
    }
    guard !views.isEmpty else { return nil }
    return try GalleryPainter(views, method: selection.method.description).paint()
  }

  private func file(of scene: String) -> RunInputs.File? {
    inputs.files.first { $0.scenes.contains { $0.name == scene } }
  }
}
