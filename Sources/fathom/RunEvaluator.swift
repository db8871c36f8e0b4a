import DepthDataset
import DepthEvaluation
import DepthFusion
import Logging

/// Runs an evaluation over the files of a run, one file, scene and frame at a time.
struct RunEvaluator {
  let plan: EvaluationPlan
  let baseline: MethodSelection
  let frames: FrameRange?
  let jobs: Int
  let keepGoing: Bool
  let console: Console

  /// - Throws: `DatasetError` where a frame cannot be read, unless `keepGoing`: the file is then left out from
  ///   that scene on.
  func run(_ inputs: RunInputs) async throws -> EvaluationRun {
    var scenes: [SceneContext] = []
    var records: [FrameRecord] = []
    var unreadable = inputs.faults.map { UnreadableFile(name: RunInputs.stem($0.path), reason: $0.reason) }
    let total = inputs.files.reduce(0) { sum, file in
      sum + file.scenes.reduce(0) { $0 + range(of: $1).count }
    }
    let progress = ProgressBar("fusing", total: total, console: console)
    for file in inputs.files {
      do throws(DatasetError) {
        let reader = try DatasetReader(readingFrom: file.path)
        for var scene in file.scenes {
          let rows = try await evaluate(&scene, from: reader, progress)
          scenes.append(scene)
          records += rows
        }
      } catch {
        guard keepGoing else { throw error }
        console.log.warning("\(error.description)")
        unreadable.append(UnreadableFile(name: RunInputs.stem(file.path), reason: error.description))
      }
    }
    warnAboutContent(records)
    let kind = scenes.first { $0.header.relativeSize != nil }?.relativeKind ?? .unknown
    return EvaluationRun(
      plan: plan, scenes: scenes, records: records, baseline: baseline.method(for: kind).id,
      unreadable: unreadable)
  }

  private func range(of scene: SceneContext) -> Range<Int> {
    frames?.clamped(to: scene.header.frameCount) ?? 0..<scene.header.frameCount
  }

  private func evaluate(
    _ scene: inout SceneContext, from reader: borrowing DatasetReader, _ progress: ProgressBar
  ) async throws(DatasetError) -> [FrameRecord] {
    let header = scene.header
    return try await EvaluationRun.evaluate(
      &scene, plan: plan, frames: range(of: scene), jobs: jobs, progress: { progress.advance() }
    ) { (index) throws(DatasetError) in
      try reader.frame(index, of: header)
    }
  }

  /// One warning for content that left rows without a result, unless it is the expected kind of refusal.
  private func warnAboutContent(_ records: [FrameRecord]) {
    let starved = records.filter { [.tooFewPairs, .degenerate].contains($0.fusion.status) }
    let frames = Set(starved.map { "\($0.scene)/\($0.frame)" }).count
    if let first = starved.first {
      console.log.warning(
        "\(frames) frames have rows without a fit, for example \(first.scene)/\(first.frame), \(first.method): \(first.fusion.reason ?? first.fusion.status.rawValue)"
      )
    }
  }
}
