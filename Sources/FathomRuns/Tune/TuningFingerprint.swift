import FathomTables
import DepthEvaluation
import DepthFusion
import DepthTuning
import FathomStorage

/// Everything that determines the scores of a search, data included, as `search.json` holds it.
struct TuningFingerprint: Codable, Sendable {
  struct Axis: Codable, Sendable { let id: String, values: [String] }
  /// The build: ``Version/name``.
  let version: String
  let files: [String]  // Digests of the data sets.
  let scenes: [String], frames: String?, axes: [Axis], options: FusionOptions
  let rules: String, objective: String, folds: Int?, seed: UInt64
  let searchPixels: Int?, searchPairs: Int?
  /// How objects are looked at; nil where they are not.
  let objects: ObjectPlan?

  init(_ plan: TuningPlan, files: [String], scenes: [String], frames: String?) {
    version = Version.name
    (self.files, self.scenes, self.frames) = (files, scenes, frames)
    axes = plan.grid.axes.map { Axis(id: $0.dimension.id, values: $0.values) }
    options = plan.grid.configurations[SearchGrid.reference].options
    rules = plan.rules.summary
    (objective, folds) = (plan.objective.title, plan.folds)
    seed = plan.seed
    (searchPixels, searchPairs) = (plan.searchPixels, plan.searchPairs)
    objects = plan.objective.measure == .placement ? plan.objects : nil
  }

  /// Without line breaks, equal for equal searches.
  var text: String { get throws { try CanonicalJSON.text(self, isPretty: false) } }
}
