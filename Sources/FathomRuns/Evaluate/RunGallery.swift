import DepthCore
import DepthDataset
import DepthEvaluation
import DepthFusion
import DepthReport
import FathomStorage

/// Reads and fuses the frames of a run that are worth looking at, and draws them.
struct RunGallery {
  let run: EvaluationRun
  let ranking: RankingVerdict
  /// Of each rank.
  let count: Int
  /// Opens what a scene of the run lies in; nil where it is not there.
  let source: (String) throws(FathomError) -> (any FrameSource)?

  /// nil where no frame was scored.
  ///
  /// - Parameter jobs: Frames that are worked on at once.
  /// - Throws: `FathomError`, `GraphicsError`.
  func paint(jobs: Int) async throws -> GalleryPainter.Pictures? {
    guard let selection = GallerySelection(run, ranking, count: count) else { return nil }
    var plan = run.plan
    (plan.methods, plan.paths, plan.objects) = ([selection.method], nil, nil)
    let (fusing, picks) = (plan, selection.picks)
    var views: [GalleryPainter.Views] = []
    try await FrameStream(picks.indices, jobs: jobs).run { (index) throws(FathomError) in
      try input(of: picks[index], historyLength: fusing.historyLength)
    } work: { input -> GalleryPainter.Views? in
      guard let input,
        let map = fusing.fuse(input.frame, of: input.scene, history: input.before).first?.fusion.prediction
      else { return nil }
      return GalleryPainter.Views(input.pick, input.frame, fused: map.depth)
    } take: { _, view in
      if let view { views.append(view) }
    }
    guard !views.isEmpty else { return nil }
    return try await GalleryPainter(views, method: selection.method.description, units: run.plan.units)
      .paint(jobs: jobs)
  }

  private struct Input: Sendable {
    let pick: GallerySelection.Pick
    let scene: SceneContext
    let frame: DepthFrame
    let before: [DepthFrame]
  }

  private func input(of pick: GallerySelection.Pick, historyLength: Int) throws(FathomError) -> Input? {
    guard let source = try source(pick.record.scene),
      let scene = run.scenes.first(where: { $0.name == pick.record.scene })
    else { return nil }
    var history = FrameHistory(length: historyLength)
    let (frame, before) = try source.frame(
      pick.record.frameIndex, of: scene.header, including: [.fusion, .predictions, .image], after: &history)
    return Input(pick: pick, scene: scene, frame: frame, before: before)
  }
}
