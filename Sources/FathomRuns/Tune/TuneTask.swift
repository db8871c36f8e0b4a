import FathomTables
import DepthEvaluation
import DepthFusion
import DepthTuning
import FathomStorage

/// Everything that determines what a search finds, but for the bytes of the data.
struct TuneTask: JobTask {
  static let shard = FolderKind.tuningShard
  /// What stays fixed and is handed on.
  struct Setting: Codable, Sendable { let name: String, value: String }
  /// The build: ``Version/name``.
  let version: String
  let data: TaskData
  let axes: [String: [String]]  // Values by dimension, the app's among them.
  let options: FusionOptions  // What is not varied.
  let objective: String  // Column or measure.
  let coverageFloor: Double?, looksAtWorstScene: Bool, `protocol`: EvaluationProtocol
  let objects: ObjectPlan, seed: UInt64, searchPixels: Int?, searchPairs: Int?
  let folds: Int?, fixed: [Setting]

  /// - Throws: `FathomError` where the mapping cannot be read.
  init(_ job: TuneJob, _ inputs: RunInputs) throws(FathomError) {
    let plan = job.plan
    version = Version.name
    data = try TaskData(inputs)
    axes = Dictionary(plan.grid.axes.map { ($0.dimension.id, $0.values) }) { first, _ in first }
    options = plan.grid.configurations[SearchGrid.reference].options
    objective = plan.objective.name
    (coverageFloor, looksAtWorstScene) = (plan.objective.coverageFloor, plan.objective.isWorstScene)
    (`protocol`, objects, seed) = (plan.rules, plan.objects, plan.seed)
    (searchPixels, searchPairs, folds) = (plan.searchPixels, plan.searchPairs, plan.folds)
    fixed = job.fixed.map { Setting(name: $0.name, value: $0.value) }
  }

  /// The search, with every scene.
  /// - Throws: `GridError` where the task is none that was ever made.
  func job(_ selection: DataSelection) throws(GridError) -> TuneJob {
    var search = SearchSettings()
    (search.objective, search.coverageFloor, search.isWorstScene) = (
      objective, coverageFloor, looksAtWorstScene
    )
    (search.folds, search.pixels, search.pairs) = (folds, SampleLimit(searchPixels), SampleLimit(searchPairs))
    var plan = TuningPlan(
      grid: try SearchGrid(axes, base: options), objective: try TuningObjective(search), rules: `protocol`,
      seed: seed)
    (plan.objects, plan.folds) = (objects, folds)
    (plan.searchPixels, plan.searchPairs) = (searchPixels, searchPairs)
    var job = TuneJob(selection, plan: plan)
    job.fixed = fixed.map { ($0.name, $0.value) }
    return job
  }
}
