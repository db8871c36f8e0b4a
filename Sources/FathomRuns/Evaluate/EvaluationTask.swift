import FathomPlainText
import FathomRunFolders
import FathomTables
import DepthCalibration
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthReport
import Foundation
import FathomLinearAlgebra
import FathomStorage

/// Everything that determines what an evaluation finds, as its parts and an unfinished one hold it: two with the same bytes find the
/// same.
package struct EvaluationTask: Codable, Sendable {
  let version: String
  /// Name of the run.
  var name: String
  let methods: [MethodSelection]
  let options: FusionOptions
  let `protocol`: EvaluationProtocol
  let seed: UInt64
  /// How objects are looked at; absent for not at all.
  let objects: ObjectPlan?
  let baseline: MethodSelection
  /// The question that was declared, and the methods that were named.
  let contrast: Contrast?, named: [MethodSelection]
  let units: LengthUnit
  let comparesProtocols: Bool, diagnoses: Bool
  let calibration: RunManifest.Input?
  let truth: String
  let external: ExternalFolders
  let mapping: RunManifest.Input?
  let scenePattern: String?, frameRange: String?
  /// All data sets, whatever the part.
  var inputs: [InputOutline]

  /// - Throws: `FathomError` where the mapping cannot be read.
  init(_ job: EvaluateJob, _ plan: EvaluationPlan, _ inputs: RunInputs) throws(FathomError) {
    version = Version.current
    name = inputs.name
    (methods, options, `protocol`) = (plan.methods, plan.options, plan.rules)
    (seed, objects, baseline) = (plan.seed, plan.objects, job.baseline)
    (contrast, named, units) = (plan.contrast, plan.named, plan.units)
    (comparesProtocols, diagnoses) = (job.comparesProtocols, job.diagnoses)
    calibration = job.calibration
    (truth, external) = (job.data.truth.rawValue, job.data.external)
    var mapping: RunManifest.Input?
    if let path = job.data.mapping {
      mapping = RunManifest.Input(
        file: URL(fileURLWithPath: path).lastPathComponent, sha256: try Digest.sha256(ofFile: path))
    }
    self.mapping = mapping
    (scenePattern, frameRange) = (job.data.scenes.description, job.data.frames?.description)
    self.inputs = inputs.outlines
  }

  /// Without line breaks, equal for equal tasks.
  var text: String { get throws { try CanonicalJSON.text(self, isPretty: false) } }

  /// - Parameter scenes: All scenes of all data sets.
  func plan(_ scenes: [SceneHeader]) -> EvaluationPlan {
    var plan = EvaluationPlan(methods: methods, options: options, rules: `protocol`, seed: seed)
    (plan.objects, plan.contrast, plan.named) = (objects, contrast, named)
    plan.units = units
    if comparesProtocols { plan.paths = ProtocolPaths(from: `protocol`, scenes) }
    return plan
  }

  /// The same task for other data sets.
  func over(_ inputs: [InputOutline], name: String) -> EvaluationTask {
    var task = self
    (task.inputs, task.name) = (inputs, name)
    return task
  }

  /// What the task has otherwise than another one, in words: "options"; nil where nothing.
  func difference(from other: EvaluationTask) throws -> String? {
    let (a, b) = (try JSONValue(text: try text), try JSONValue(text: try other.text))
    let names = [
      ("version", "version of fathom"), ("protocol", "protocol"), ("inputs", "list of inputs"),
      ("methods", "methods"),
      ("options", "options"), ("objects", "options for objects"), ("seed", "seed"), ("baseline", "baseline"),
      ("contrast", "contrast"), ("units", "units"),
      ("calibration", "calibration"), ("frameRange", "frames"), ("scenePattern", "scenes"),
      ("truth", "truth"), ("mapping", "mapping"),
    ]
    for (key, words) in names where a[key] != b[key] { return words }
    return a == b ? nil : "options"
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

/// What was found in all scenes, and of which data: all that a run is made of.
struct EvaluationMaterial: Sendable {
  let task: EvaluationTask
  let plan: EvaluationPlan
  /// In order, with their kinds resolved.
  let scenes: [SceneContext]
  let records: RunRecords
  let leftOut: [ObjectResults.LeftOut]
  let unreadable: [UnreadableFile]
  let inputs: [RunManifest.Input]
  /// Digest of the data that a scene lies in, by its name in the run.
  let data: [String: String]
  /// Position of the data set that a scene lies in, by the scene's name in the run.
  let positions: [String: Int]
  let hasEqualData: Bool
  /// nil where the data were not asked.
  let diagnosis: DiagnosisSection?

  /// Means, intervals, tests, ranks and pictures.
  ///
  /// - Parameters:
  ///   - jobs: What may be done at the same time.
  ///   - check: Holds what was found against what can be.
  ///   - gallery: Draws frames, or says why it cannot.
  func result(
    jobs: Int, check: (EvaluationRun) -> CheckedRun,
    gallery: (EvaluationRun, RankingVerdict) async throws -> (
      pictures: GalleryPainter.Pictures?, lack: String?
    ), _ observe: JobObserver
  ) async throws -> EvaluateResult {
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
    if task.truth == CalibrationTruth.multiview.rawValue { manifest.multiview = MultiviewReference.Options() }
    (manifest.mapping, manifest.linearAlgebra) = (task.mapping, [LinearAlgebraLibrary.description])
    let (pictures, lack) = try await gallery(run, checked.verdict.ranking)
    try run.requireWhole()
    return EvaluateResult(
      name: task.name, checked: checked, manifest: manifest, diagnosis: diagnosis, gallery: pictures,
      galleryLack: lack)
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
      case .noRelative, .rejectedScale, .impossible: false
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
