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
  func baselineID(_ scenes: [SceneContext]) throws(OptionProblem) -> String {
    let kinds = scenes.filter { $0.header.relativeSize != nil }.map(\.relativeKind)
    let ids = (kinds.isEmpty ? [.unknown] : kinds).map { baseline.method(for: $0).id }.firstAppearances
    guard ids.count == 1 else {
      throw OptionProblem(
        "baseline", "'\(baseline)' is \(ids.joined(separator: " and ")) here; name the form")
    }
    return ids[0]
  }
}
