import DepthCore
import DepthDataset
import DepthEvaluation
import DepthFusion
import DepthObjects
import DepthVerdicts
public import FathomRuns
import FathomStorage

/// The frames of a run that are worth looking at, drawn: of the method that it asks about.
public struct RunGallery: Sendable {
  /// With the files that they are; nil where there is nothing to draw.
  public let pictures: GalleryPainter.Pictures?
  /// Why there are none although they were asked for; nil where there is no reason to speak of.
  public let lack: String?
  /// No pictures.
  public static let none = RunGallery(pictures: nil, lack: nil)

  private init(pictures: GalleryPainter.Pictures?, lack: String?) {
    (self.pictures, self.lack) = (pictures, lack)
  }

  /// Reads and fuses frames again, and draws them.
  /// - Parameter count: How many of the worst, of the median and of the best frames, each; 0 for none.
  /// - Throws: `FathomError` where data cannot be read or changed since, `GraphicsError`.
  public init(
    of result: EvaluateResult, count: Int = GallerySelection.standardCount,
    jobs: Int = MachineLimits.current.cores, _ observe: JobObserver = { _ in }
  ) async throws {
    guard count > 0 else {
      self = .none
      return
    }
    observe(.began(.drawing, steps: 0))
    let reader = FrameReader(result)
    do {
      self.init(pictures: try await reader.paint(count: count, jobs: jobs), lack: nil)
    } catch let error as FathomError where error == reader.absence {
      observe(.noticed(.withoutGallery(error)))
      self.init(pictures: nil, lack: "the data were not there when the shards were merged")
    }
    try result.run.requireWhole()
    try result.frames.requireUnchanged()
  }
}

/// Reads and fuses the picked frames of a run.
private final class FrameReader {
  private let run: EvaluationRun, result: EvaluateResult
  /// Why a frame is not there.
  private(set) var absence: FathomError?
  init(_ result: EvaluateResult) { (run, self.result) = (result.run, result) }

  /// nil where no frame was scored.
  /// - Throws: `FathomError`, `GraphicsError`.
  func paint(count: Int, jobs: Int) async throws -> GalleryPainter.Pictures? {
    guard let selection = GallerySelection(run, result.verdict, count: count) else { return nil }
    var plan = run.plan
    (plan.methods, plan.paths, plan.objects) = ([selection.method], nil, nil)
    let map = FramePictures.Map(of: selection.method)
    let (drawn, wanted) = (Set(selection.picks.map(\.number)), Set(selection.scene.map(\.number)))
    let clouds = wanted.union(selection.picks.prefix(1).map(\.number))
    let views = try await views(of: selection.picks, fusing: plan, as: map, clouds: clouds, jobs: jobs)
    guard let worst = views.first else { return nil }
    let others =
      worst.pictures.camera == nil
      ? []
      : try await self.views(
        of: selection.scene.filter { !drawn.contains($0.number) }, fusing: plan, as: map, clouds: clouds,
        jobs: jobs)
    let scene = (views + others).filter { wanted.contains($0.pick.number) }
      .sorted { $0.pick.number < $1.pick.number }
    return try await GalleryPainter(
      views, scene: scene, method: run.name(of: selection.method.description), units: run.plan.units
    ).paint(jobs: jobs)
  }

  /// - Parameter clouds: Numbers of the frames that are also shown as points.
  private func views(
    of picks: [GallerySelection.Pick], fusing: EvaluationPlan, as map: FramePictures.Map, clouds: Set<Int>,
    jobs: Int
  ) async throws -> [GalleryPainter.Views] {
    var views: [GalleryPainter.Views] = []
    try await FrameStream(picks.indices, jobs: jobs).run { (index) throws(FathomError) in
      try input(of: picks[index], historyLength: fusing.historyLength)
    } work: { input -> GalleryPainter.Views? in
      guard let input,
        let made = fusing.fuse(input.frame, of: input.scene, history: input.before).first?.fusion.prediction
      else { return nil }
      let depth = fusing.shown(input.pick.record, made, of: input.frame)
      return GalleryPainter.Views(
        input.pick, input.frame, shown: depth, as: map,
        seenBy: PosedCamera(of: input.frame, in: input.scene.header),
        hasCloud: clouds.contains(input.pick.number))
    } take: { _, view in
      if let view { views.append(view) }
    }
    return views
  }

  private struct Input: Sendable {
    let pick: GallerySelection.Pick, scene: SceneContext, frame: DepthFrame
    let before: [DepthFrame]
  }

  private func input(of pick: GallerySelection.Pick, historyLength: Int) throws(FathomError) -> Input? {
    guard let found = try result.frames.source(of: pick.record.scene),
      let scene = run.scenes.first(where: { $0.name == pick.record.scene })
    else { return nil }
    let source: any FrameSource
    switch found {
    case .open(let data): source = data
    case .absent(let error):
      absence = error
      throw error
    }
    var history = FrameHistory(length: historyLength)
    let (frame, before) = try source.frame(
      pick.record.frameIndex, of: scene.header, including: [.fusion, .predictions, .image], after: &history)
    return Input(pick: pick, scene: scene, frame: frame, before: before)
  }
}
