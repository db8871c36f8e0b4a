import FathomPlainText
import FathomRunFolders
import FathomTables
import DepthCore
import DepthDataset
import DepthEvaluation
import DepthFusion
import DepthImport
import DepthVerdicts
package import FathomStorage

/// Everything that determines what an evaluation finds, but for the bytes of the data.
package struct EvaluationTask: JobTask {
  package static let shard = FolderKind.shard
  /// The build: ``Version/name``.
  let version: String
  var name: String  // Name of the run.
  let methods: [MethodSelection], options: FusionOptions, `protocol`: EvaluationProtocol
  let seed: UInt64
  /// How objects are looked at; absent for not at all.
  let objects: ObjectPlan?
  let baseline: MethodSelection
  /// The question that was declared, and the methods that were named.
  let contrast: Contrast?, named: [MethodSelection]
  let units: LengthUnit
  /// How far the truth may be off; absent where it counts as exact.
  let truthDeviation: TruthDeviation?
  let comparesProtocols: Bool, diagnoses: Bool, calibration: RunManifest.Input?
  let truth: TruthOrigin, external: ExternalFolders, mapping: RunManifest.Input?
  /// How maps in folders became frames, by names without folders; absent for data sets.
  let maps: MapSetRequest?
  let scenePattern: String?, frameRange: String?
  var inputs: [InputOutline]  // All data sets, whatever the part.
  /// Why data are probably not what they are said to be.
  var warnings: [String] { inputs.flatMap { $0.warnings ?? [] } }

  /// - Throws: `FathomError` where the mapping cannot be read.
  init(
    _ job: EvaluateJob, _ plan: EvaluationPlan, baseline: MethodSelection, _ inputs: RunInputs
  ) throws(FathomError) {
    version = Version.name
    name = inputs.name
    (methods, options, `protocol`) = (plan.methods, plan.options, plan.rules)
    (seed, objects, self.baseline) = (plan.seed, plan.objects, baseline)
    (contrast, named, units) = (plan.contrast, plan.named, plan.units)
    truthDeviation = plan.truthDeviation
    (comparesProtocols, diagnoses) = (job.comparesProtocols, job.diagnoses)
    calibration = job.calibration
    (truth, external) = (job.data.truth, job.data.external)
    (mapping, maps) = (try job.data.mappingFile, job.data.maps?.named)
    (scenePattern, frameRange) = (job.data.scenes.description, job.data.frames?.description)
    self.inputs = inputs.outlines
  }

  /// - Parameter scenes: All scenes of all data sets.
  func plan(_ scenes: [SceneHeader]) -> EvaluationPlan {
    var plan = EvaluationPlan(methods: methods, options: options, rules: `protocol`, seed: seed)
    (plan.objects, plan.contrast, plan.named) = (objects, contrast, named)
    (plan.units, plan.labels) = (units, maps?.idMask?.labels)
    plan.truthDeviation = truthDeviation
    if comparesProtocols { plan.paths = ProtocolPaths(from: `protocol`, scenes) }
    return plan
  }

  /// The same task for other data sets.
  func over(_ inputs: [InputOutline], name: String) -> EvaluationTask {
    var task = self
    (task.inputs, task.name) = (inputs, name)
    return task
  }

  /// - Throws: `OptionProblem` where the baseline is another method in some scenes than in others.
  fileprivate func baselineID(_ scenes: [SceneContext]) throws(OptionProblem) -> String {
    let kinds = scenes.filter { $0.header.relativeSize != nil }.map(\.relativeKind)
    let ids = (kinds.isEmpty ? [.unknown] : kinds).map { baseline.method(for: $0).id }.firstAppearances
    guard ids.count == 1 else {
      throw OptionProblem(
        "baseline", "'\(baseline)' is \(ids.joined(separator: " and ")) here; name the form")
    }
    return ids[0]
  }
}

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
    let (rows, objects) = concurrently(threads: jobs) {
      EvaluationRun(
        plan: plan, scenes: scenes, records: records.rows, baseline: baseline, unreadable: unreadable,
        jobs: jobs)
    } _: {
      self.objects
    }
    let found = rows.with(objects)
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
