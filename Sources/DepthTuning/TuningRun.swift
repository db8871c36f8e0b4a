public import DepthEvaluation

/// Everything that a search found, ready for tables.
public struct TuningRun: Sendable {
  public let plan: TuningPlan
  /// Scenes that were searched, with their kinds resolved.
  public let scenes: [SceneContext]
  /// Every configuration in every scene, on the search's samples.
  public let search: [SceneScores]
  /// The finalists in every scene, on all pixels and pairs.
  public let confirmed: [SceneScores]
  /// Losses of the search and of the finalists, over the scenes that could be scored.
  public let searched: LossTable, finals: LossTable
  /// Over the whole grid.
  public let verdict: TuningVerdict
  /// Over one threshold at a time, the others at the app's values.
  public let questions: [ThresholdQuestion]
  /// Coverage against error.
  public let front: CoverageFront
  /// Around what the rule chooses from all scenes, axis by axis.
  public let sensitivities: [Sensitivity]
  /// Over pairs of thresholds.
  public let surfaces: [LossSurface]

  /// Configurations that must be scored on all pixels before a verdict: the reference, what is chosen from all scenes
  /// and without each part of them, over the whole grid and one threshold at a time.
  public static func finalists(_ plan: TuningPlan, _ search: [SceneScores]) -> [Int] {
    let table = LossTable(search, plan: plan)
    var chosen: Set = [SearchGrid.reference]
    let subsets =
      [nil] + ThresholdQuestion.groups(plan.grid).map { ThresholdQuestion.candidates(plan.grid, $0.axes) }
    for candidates in subsets {
      let all = Array(table.scenes.indices)
      if let choice = ConfigurationChoice(table, scenes: all, candidates: candidates) {
        chosen.formUnion([choice.best, choice.chosen])
      }
      if all.count >= 2 {
        chosen.formUnion(NestedValidation.choices(table, folds: plan.folds, candidates: candidates))
      }
    }
    return chosen.sorted()
  }

  /// - Parameter search: Every configuration, scene by scene.
  /// - Parameter confirmed: The ``finalists(_:_:)``, in the same scenes.
  public init(plan: TuningPlan, scenes: [SceneContext], search: [SceneScores], confirmed: [SceneScores]) {
    (self.plan, self.scenes, self.search, self.confirmed) = (plan, scenes, search, confirmed)
    let usable = LossTable.usableScenes(search, plan).intersection(LossTable.usableScenes(confirmed, plan))
    let searched = LossTable(search, plan: plan, scenes: usable)
    let finals = LossTable(confirmed, plan: plan, scenes: usable)
    (self.searched, self.finals) = (searched, finals)
    let verdict = TuningVerdict(searched, folds: plan.folds, confirmed: finals)
    self.verdict = verdict
    questions = ThresholdQuestion.groups(plan.grid).map { title, axes in
      ThresholdQuestion(
        axes: axes.map { plan.grid.axes[$0].dimension.id }, title: title,
        verdict: TuningVerdict(
          searched, folds: plan.folds, candidates: ThresholdQuestion.candidates(plan.grid, axes),
          confirmed: finals))
    }
    front = CoverageFront(search.filter { searched.scenes.contains($0.scene) }, plan)
    let slices = GridSlices(plan.grid)
    let around = verdict.choice?.chosen ?? SearchGrid.reference
    sensitivities = plan.grid.axes.indices.filter { plan.grid.axes[$0].values.count > 1 }.map {
      Sensitivity($0, around: around, plan.grid, slices, searched)
    }
    surfaces = [("min-depth", "max-depth"), ("min-confidence", "max-depth"), ("methods", "max-depth")]
      .compactMap { rows, columns in
        guard let row = plan.grid.axis(rows), let column = plan.grid.axis(columns),
          min(plan.grid.axes[row].values.count, plan.grid.axes[column].values.count) > 1
        else { return nil }
        return LossSurface(rows: row, columns: column, around: around, plan.grid, slices, searched)
      }
  }

  /// What it shows, as values.
  public var conclusions: SearchVerdict { SearchVerdict(self) }
}
