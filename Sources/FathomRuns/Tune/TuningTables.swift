import FathomRunFolders
package import FathomTables
import DepthEvaluation
package import DepthTuning

/// The files of a search with every number in full.
package struct TuningTables {
  let run: TuningRun
  package init(run: TuningRun) { self.run = run }
  private var grid: SearchGrid { run.plan.grid }
  private var scored: [SceneScores] { run.search.filter { run.searched.scenes.contains($0.scene) } }
  private var looksAtObjects: Bool { run.plan.objective.measure == .placement }

  /// File name and content.
  package var files: [(name: String, table: DataTable)] {
    [
      ("tune.csv", configurations), ("losses.csv", losses), ("folds.csv", folds), ("verdicts.csv", verdicts),
      ("scenes.csv", scenes),
    ]
  }

  /// The values of a configuration, a column per threshold.
  private func thresholds<Row>(_ configuration: @escaping @Sendable (Row) -> Int) -> [Column<Row>] {
    let grid = grid
    return grid.axes.enumerated().map { place, axis in
      let unit = axis.dimension.unit.map { ", \($0)" } ?? ""
      return .text(
        axis.dimension.id.replacing("-", with: "_"), "value of a threshold: \(axis.dimension.title)\(unit)"
      ) { grid.labels(of: configuration($0))[place] }
    }
  }

  private static func configuration<Row>(_ value: @escaping @Sendable (Row) -> Int) -> Column<Row> {
    .integer("configuration", "number of the configuration; 0 is the reference", value)
  }

  /// `tune.csv`: every configuration, means over scenes; `X` over the frames it solved, `X_fallback` over all frames with
  /// the raw LiDAR for refused ones.
  private var configurations: DataTable {
    let (run, grid, scored) = (run, grid, scored)
    let losses: @Sendable (Int) -> [Double]? = { index in
      let losses = run.searched.losses(of: index)
      return losses.allSatisfy(\.isFinite) ? losses : nil
    }
    let head: [Column<Int>] = [
      .integer("changes", "thresholds that differ from the reference's") { grid.changes(of: $0).count },
      .text(
        "roles", "what the search makes of it: reference, recommended, chosen, best, front",
        missing: "nothing of these"
      ) { Self.roles(of: $0, in: run) },
      .integer("scenes", "scenes that the search looked at") { _ in scored.count },
      .integer("frames", "frames that it looked at") { _ in scored.reduce(0) { $0 + $1.frames } },
      .integer("frames_solved", "frames that the configuration solved") { index in
        scored.reduce(0) { $0 + $1.framesSolved(index) }
      },
      .number("loss", "what the search makes small, mean over scenes", missing: "a scene has no loss") {
        losses($0) == nil ? nil : run.searched.loss(of: $0)
      },
      .number("loss_worst_scene", "the largest loss of a scene", missing: "a scene has no loss") {
        losses($0)?.max()
      },
    ]
    return DataTable(
      of: "configuration",
      [Self.configuration { $0 }] + thresholds { $0 } + head + measures(withFallback: false)
        + measures(withFallback: true), Array(grid.configurations.indices))
  }

  /// What every configuration is measured by.
  private func measures(withFallback: Bool) -> [Column<Int>] {
    let scored = scored
    let what =
      withFallback
      ? "over all frames, the raw LiDAR standing in where the configuration refused one"
      : "over the frames that the configuration solved"
    let ending = withFallback ? "_fallback" : ""
    let columns = TuningObjective.columns.enumerated().map { place, column -> Column<Int> in
      .number(
        column.id + ending, "\(column.title), \(what), mean over scenes", unit: column.metric.unit.rawValue,
        missing: "no scene has a value"
      ) { Self.mean($0, place, withFallback, scored) }
    }
    guard looksAtObjects else { return columns }
    return columns + [
      .number(
        TuningObjective.placementName + ending, "placement of effects, \(what), mean over scenes", unit: "m",
        missing: "no scene has a value"
      ) { Self.mean($0, columns.count, withFallback, scored) }
    ]
  }

  /// Mean over the scenes that have a value.
  private static func mean(
    _ configuration: Int, _ column: Int, _ withFallback: Bool, _ scored: [SceneScores]
  ) -> Double? {
    let values = scored.compactMap {
      $0.value(configuration, column: column, withFallback: withFallback)
    }
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// "reference", "recommended", "chosen", "best", "front", separated by spaces.
  private static func roles(of index: Int, in run: TuningRun) -> String? {
    var roles: [String] = []
    if index == SearchGrid.reference { roles.append("reference") }
    if index == run.verdict.recommended { roles.append("recommended") }
    if index == run.verdict.choice?.chosen { roles.append("chosen") }
    if index == run.verdict.choice?.best { roles.append("best") }
    if run.front.front.contains(where: { $0.configuration == index }) { roles.append("front") }
    return roles.isEmpty ? nil : roles.joined(separator: " ")
  }

  /// `losses.csv`: every configuration in every scene, on the search's sample: all that choices are made from.
  private var losses: DataTable {
    struct Loss: Sendable { let configuration: Int, scene: String, loss: Double?, coverage: Double? }
    let scored = scored
    return DataTable(
      of: "configuration × scene",
      [
        Self.configuration { $0.configuration }, CommonColumn.scene { $0.scene },
        .number("loss", "what the search makes small", missing: "the scene has none") { $0.loss },
        .number(
          "coverage", Metric.coverage.formula, unit: "share", missing: "the scene has none", \.coverage),
      ],
      grid.configurations.indices.flatMap { index in
        zip(run.searched.scenes, zip(run.searched.losses(of: index), scored)).map { scene, found in
          Loss(
            configuration: index, scene: scene, loss: Self.finite(found.0), coverage: found.1.coverage(index))
        }
      })
  }

  /// What was varied, and what became of it: the grid, then one threshold at a time.
  private var questions: [(varied: String, verdict: TuningVerdict)] {
    [("all", run.verdict)] + run.questions.map { ($0.axes.joined(separator: "+"), $0.verdict) }
  }

  private static func varied<Row>(_ value: @escaping @Sendable (Row) -> String) -> Column<Row> {
    .text("varied", "thresholds that were varied: all, or one at a time", value)
  }

  /// `folds.csv`: what was chosen without each scene, and how it does there.
  private var folds: DataTable {
    struct Fold: Sendable { let varied: String, held: NestedValidation.HeldOut }
    return DataTable(
      of: "thresholds varied × held-out scene",
      [Self.varied { $0.varied }, .text("scene", "the held-out scene") { $0.held.scene }]
        + thresholds { $0.held.chosen } + [
          Self.configuration { $0.held.chosen },
          .number("loss", "loss in this scene of what was chosen without it") { $0.held.loss },
          .number("reference_loss", "loss in this scene of the reference") { $0.held.referenceLoss },
          .number("gain", "reference_loss − loss") { $0.held.referenceLoss - $0.held.loss },
        ],
      questions.flatMap { varied, verdict in
        (verdict.nested?.heldOut ?? []).map { Fold(varied: varied, held: $0) }
      })
  }

  /// `verdicts.csv`: gains with their intervals.
  private var verdicts: DataTable {
    typealias Question = (varied: String, verdict: TuningVerdict)
    let run = run
    let none = "nothing could be chosen"
    let choice: [Column<Question>] = [
      .text("reason", "why the search recommends what it does") { $0.verdict.reason.rawValue },
      .text("recommends_change", "true where another configuration is recommended than the reference") {
        $0.verdict.recommendsChange ? "true" : "false"
      },
      .integer("chosen", "configuration that was chosen", missing: none) { $0.verdict.choice?.chosen },
      .integer("best", "configuration of the smallest loss", missing: none) { $0.verdict.choice?.best },
      .integer(
        "equivalent", "configurations that are not worse than it", missing: none, \.verdict.choice?.equivalent
      ),
      .integer("scenes", "scenes that were scored") { _ in run.finals.scenes.count },
      .integer(
        "folds", "scenes that were held out in turn", missing: "too few scenes", \.verdict.nested?.folds),
    ]
    let few = "too few scenes"
    let gains: [Column<Question>] = [
      .number("loss_reference", "loss of the reference") { _ in run.finals.loss(of: SearchGrid.reference) },
      .number(
        "loss_in_sample", "loss of what was chosen, on the scenes it was chosen on", missing: none,
        \.verdict.inSampleLoss),
      .number(
        "loss_nested", "loss on scenes that the choice did not see", missing: few, \.verdict.nested?.loss),
      .number("optimism", "loss_nested − loss_in_sample", missing: few) { $0.verdict.optimism },
      .number(
        "gain", "gain over the reference on scenes that the choice did not see", missing: few,
        \.verdict.nested?.gain.mean),
      .number(
        "gain_standard_error", "its standard error over scenes", missing: few,
        \.verdict.nested?.gain.standardError),
      .number("gain_low_99", "lower end of its 99 % interval", missing: few, \.verdict.interval?.lowerBound),
      .number("gain_high_99", "upper end of its 99 % interval", missing: few, \.verdict.interval?.upperBound),
    ]
    return DataTable(of: "thresholds varied", [Self.varied { $0.varied }] + choice + gains, questions)
  }

  /// `scenes.csv`: the finalists in every scene, on all pixels.
  private var scenes: DataTable {
    struct Final: Sendable { let scene: SceneScores, configuration: Int, loss: Double?, searched: Double? }
    let unit = run.plan.objective.column?.metric.unit.rawValue ?? "m"
    return DataTable(
      of: "scene × finalist",
      [CommonColumn.scene { $0.scene.scene }, Self.configuration { $0.configuration }]
        + thresholds { $0.configuration } + [
          .integer("frames", "frames of the scene") { $0.scene.frames },
          .integer("frames_solved", "frames that the configuration solved") {
            $0.scene.framesSolved($0.configuration)
          },
          .number("coverage", Metric.coverage.formula, unit: "share", missing: "nothing was solved") {
            $0.scene.coverage($0.configuration)
          },
          .number("loss", "loss on all pixels", unit: unit, missing: "the scene has none") { $0.loss },
          .number(
            "loss_searched", "loss on the search's sample", unit: unit, missing: "the scene has none",
            \.searched),
        ],
      run.confirmed.flatMap { scene in
        scene.configurations.map { index in
          let number = run.finals.scenes.firstIndex(of: scene.scene)
          return Final(
            scene: scene, configuration: index,
            loss: number.flatMap { Self.finite(run.finals.losses(of: index)[$0]) },
            searched: number.flatMap { Self.finite(run.searched.losses(of: index)[$0]) })
        }
      })
  }

  private static func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }
}
