import DepthCore
import DepthEvaluation
import DepthFusion
import DepthVerdicts
import FathomRunFolders

/// What was found in all scenes, and in which data: all that a run is made of.
struct EvaluationMaterial: Sendable {
  let task: EvaluationTask, plan: EvaluationPlan
  let scenes: [SceneContext]  // In order, with their kinds resolved.
  let records: RunRecords, leftOut: [ObjectResults.LeftOut], unreadable: [UnreadableFile]
  let inputs: [RunManifest.Input]
  let data: [String: String]  // Digest of the data that a scene lies in, by its name in the run.
  /// Position of the data set that a scene lies in, by the scene's name in the run.
  let positions: [String: Int]
  let hasEqualData: Bool
  /// nil where the data were not asked.
  let diagnosis: RunDiagnosis?

  /// Means, intervals, tests and ranks.
  /// - Parameter jobs: What may be done at the same time.
  /// - Parameter check: Rejects impossible values.
  func result(
    jobs: Int, check: (EvaluationRun) -> CheckedRun, _ observe: JobObserver
  ) throws -> EvaluateResult {
    noticeStarvation(observe)
    observe(.began(.summarising, steps: 0))
    let baseline = try task.baselineID(scenes)
    let found = EvaluationRun(
      plan: plan, scenes: scenes, records: records.rows, baseline: baseline, unreadable: unreadable,
      jobs: jobs
    ) { objects }
    observe(.began(.checking, steps: 0))
    if hasEqualData { observe(.noticed(.sameData)) }
    let checked = check(found)
    let run = checked.run
    var manifest = RunManifest(
      run, inputs: inputs, data: data, calibration: task.calibration, scenePattern: task.scenePattern,
      frameRange: task.frameRange, impossible: checked.impossible)
    manifest.multiview = task.truth.manifestOptions
    (manifest.mapping, manifest.maps) = (task.mapping, task.maps)
    manifest.warnings = task.warnings.isEmpty ? nil : task.warnings
    manifest.linearAlgebra = [RunManifest.ownLinearAlgebra]
    try run.requireWhole()
    return EvaluateResult(name: task.name, checked: checked, manifest: manifest, diagnosis: diagnosis)
  }

  /// nil where there are no objects to speak of.
  private var objects: ObjectResults? {
    guard let objects = plan.objects else { return nil }
    guard !records.objects.isEmpty || !leftOut.isEmpty else { return nil }
    return ObjectResults(records.objects, plan: objects, leftOut: leftOut, seed: plan.seed)
  }

  /// One notice for content that left rows without a result, unless it is the expected kind of refusal.
  private func noticeStarvation(_ observe: JobObserver) {
    let withTruth = Set(scenes.filter { $0.header.truthSize != nil }.map(\.name))
    func isStarved(_ record: FrameRecord) -> Bool {
      switch record.fusion.status {
      case .tooFewPairs, .degenerate: true
      case .noTruth: withTruth.contains(record.scene)
      // The raw LiDAR has nothing to refuse; a reason says that its map is empty.
      case .ok: record.isRawLidar && record.fusion.reason != nil || !record.isSolved
      // Noticed where it is found.
      case .noLidar, .noRelative, .rejectedScale, .impossible: false
      }
    }
    var first: FrameRecord?
    var frames: [String: Set<String>] = [:]
    for record in records.rows where isStarved(record) {
      if first == nil { first = record }
      frames[record.scene, default: []].insert(record.frame)
    }
    guard let first else { return }
    observe(.noticed(.framesWithoutResult(frames.values.reduce(0) { $0 + $1.count }, first: first)))
  }
}
