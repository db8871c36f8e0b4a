import ArgumentParser
import DepthCore
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
    var (objects, leftOut) = (FrameObjects(), [ObjectResults.LeftOut]())
    var unreadable = inputs.faults.map { UnreadableFile(name: $0.label, reason: $0.reason) }
    let total = inputs.files.reduce(0) { sum, file in
      sum + file.scenes.reduce(0) { $0 + range(of: $1).count }
    }
    if let frames, total == 0, !inputs.files.isEmpty {
      throw ValidationError("--frames: no scene has a frame in \(frames)")
    }
    let progress = ProgressBar("fusing", total: total, console: console)
    for file in inputs.files {
      do throws(DatasetError) {
        let reader = try file.reader()
        for var scene in file.scenes {
          let available = try detections(of: scene, in: reader)
          let found = try await evaluate(&scene, available, from: reader, progress)
          scenes.append(scene)
          records += found.rows
          objects.append(found.objects)
          if case .unusable(let reason) = available {
            leftOut.append(ObjectResults.LeftOut(scene: scene.name, reason: reason))
          }
        }
      } catch {
        guard keepGoing else { throw error }
        console.log.warning("\(error.description)")
        unreadable.append(
          UnreadableFile(name: file.label, reason: RunInputs.portable(error.description, file.path)))
      }
    }
    warnAboutContent(records, scenes)
    return EvaluationRun(
      plan: plan, scenes: scenes, records: records, baseline: try baselineID(scenes),
      unreadable: unreadable, objects: results(objects, leftOut))
  }

  /// nil where there are no objects to speak of.
  private func results(_ found: FrameObjects, _ leftOut: [ObjectResults.LeftOut]) -> ObjectResults? {
    guard let objects = plan.objects else { return nil }
    let isEmpty = found.records.isEmpty && found.detections.isEmpty && found.unposed.isEmpty
    guard !isEmpty || !leftOut.isEmpty else { return nil }
    return ObjectResults(found, plan: objects, leftOut: leftOut, seed: plan.seed)
  }

  private func detections(
    of scene: SceneContext, in reader: borrowing DatasetReader
  ) throws(DatasetError) -> SceneDetections.Availability {
    guard let objects = plan.objects else { return .none }
    return try SceneDetections.find(in: scene.header, reader, plan: objects)
  }

  /// - Throws: `ValidationError` where the baseline is another method in some scenes than in others.
  private func baselineID(_ scenes: [SceneContext]) throws -> String {
    let kinds = scenes.filter { $0.header.relativeSize != nil }.map(\.relativeKind)
    let ids = (kinds.isEmpty ? [.unknown] : kinds).map { baseline.method(for: $0).id }.firstAppearances
    guard ids.count == 1 else {
      throw ValidationError(
        "--baseline: '\(baseline)' is \(ids.joined(separator: " and ")) here; name the form")
    }
    return ids[0]
  }

  private func range(of scene: SceneContext) -> Range<Int> {
    frames?.clamped(to: scene.header.frameCount) ?? 0..<scene.header.frameCount
  }

  private func evaluate(
    _ scene: inout SceneContext, _ available: SceneDetections.Availability,
    from reader: borrowing DatasetReader, _ progress: ProgressBar
  ) async throws(DatasetError) -> SceneRecords {
    let header = scene.header
    let usesPredictions = plan.methods.contains { $0.storedName != nil }
    let arrays: FrameArrays = usesPredictions ? [.fusion, .predictions] : .fusion
    return try await EvaluationRun.evaluateObjects(
      &scene, plan: plan, frames: range(of: scene), jobs: jobs, progress: { progress.advance() }
    ) { (index) throws(DatasetError) in
      try reader.frame(index, of: header, including: arrays)
    } detections: { (index) throws(DatasetError) in
      guard case .usable(let detections) = available else { return nil }
      return try detections.frame(index, from: reader)
    }
  }

  /// One warning for content that left rows without a result, unless it is the expected kind of refusal.
  private func warnAboutContent(_ records: [FrameRecord], _ scenes: [SceneContext]) {
    let withTruth = Set(scenes.filter { $0.header.truthSize != nil }.map(\.name))
    let starved = records.filter { record in
      switch record.fusion.status {
      case .tooFewPairs, .degenerate: true
      case .noTruth: withTruth.contains(record.scene)
      // The raw LiDAR has nothing to refuse; a reason says that its map is empty.
      case .ok: record.isRawLidar && record.fusion.reason != nil || !record.isSolved
      // Warned of where it is found.
      case .noRelative, .rejectedScale, .impossible: false
      }
    }
    guard let first = starved.first else { return }
    let frames = Set(starved.map { "\($0.scene)/\($0.frame)" }).count
    let reason = first.fusion.reason ?? first.fusion.status.rawValue
    console.log.warning(
      "\(frames) frames have rows without a result, for example \(first.scene)/\(first.frame), \(first.method): \(reason)"
    )
  }
}
