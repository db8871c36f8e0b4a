import DepthEvaluation
import DepthTuning

/// The files of a search with every number in full.
struct TuningTables {
  let run: TuningRun

  private var grid: SearchGrid { run.plan.grid }
  private var columns: [String] { TuningObjective.columns.map(\.id) }
  private var scored: [SceneScores] { run.search.filter { run.searched.scenes.contains($0.scene) } }
  private var looksAtObjects: Bool { run.plan.objective.measure == .placement }

  /// `tune.csv`: every configuration, means over scenes; `X` over the frames it solved, `X_fallback` over all frames with
  /// the raw LiDAR for refused ones.
  var configurations: DataTable {
    let axes = grid.axes.map { $0.dimension.id.replacing("-", with: "_") }
    let measures = columns + (looksAtObjects ? [TuningObjective.placementName] : [])
    let head =
      ["configuration"] + axes
      + ["changes", "roles", "scenes", "frames", "frames_solved", "loss", "loss_worst_scene"]
    return DataTable(
      columns: head + measures + measures.map { "\($0)_fallback" },
      rows: grid.configurations.indices.map { index in
        let losses = run.searched.losses(of: index)
        let isComplete = losses.allSatisfy(\.isFinite)
        var row: [DataTable.Cell] = [.integer(index)]
        row += grid.labels(of: index).map { .text($0) }
        row += [.integer(grid.changes(of: index).count), roles(of: index), .integer(scored.count)]
        row.append(.integer(scored.reduce(0) { $0 + $1.frames }))
        row.append(.integer(scored.reduce(0) { $0 + $1.framesSolved(index) }))
        row.append(DataTable.Cell(isComplete ? run.searched.loss(of: index) : nil))
        row.append(DataTable.Cell(isComplete ? losses.max() : nil))
        for withFallback in [false, true] {
          row += measures.indices.map { DataTable.Cell(mean(index, $0, withFallback)) }
        }
        return row
      })
  }

  /// Mean over the scenes that have a value.
  private func mean(_ configuration: Int, _ column: Int, _ withFallback: Bool) -> Double? {
    let values = scored.compactMap {
      $0.value(configuration, column: column, withFallback: withFallback)
    }
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// "reference", "recommended", "chosen", "best", "front", separated by spaces.
  private func roles(of index: Int) -> DataTable.Cell {
    var roles: [String] = []
    if index == SearchGrid.reference { roles.append("reference") }
    if index == run.verdict.recommended { roles.append("recommended") }
    if index == run.verdict.choice?.chosen { roles.append("chosen") }
    if index == run.verdict.choice?.best { roles.append("best") }
    if run.front.front.contains(where: { $0.configuration == index }) { roles.append("front") }
    return roles.isEmpty ? .empty : .text(roles.joined(separator: " "))
  }

  /// `losses.csv`: every configuration in every scene, on the search's sample: all that choices are made from.
  var losses: DataTable {
    let scenes = run.searched.scenes
    return DataTable(
      columns: ["configuration"] + scenes.map { "loss/\($0)" } + scenes.map { "coverage/\($0)" },
      rows: grid.configurations.indices.map { index in
        [.integer(index)] + run.searched.losses(of: index).map { finite($0) }
          + scored.map { DataTable.Cell($0.coverage(index)) }
      })
  }

  /// `folds.csv`: what was chosen without each scene, and how it does there, over the grid and one threshold at a time.
  var folds: DataTable {
    let verdicts = [("all", run.verdict)] + run.questions.map { ($0.axes.joined(separator: "+"), $0.verdict) }
    return DataTable(
      columns: ["varied", "scene"] + grid.axes.map { $0.dimension.id.replacing("-", with: "_") }
        + ["configuration", "loss", "reference_loss", "gain"],
      rows: verdicts.flatMap { name, verdict in
        (verdict.nested?.heldOut ?? []).map { held in
          [.text(name), .text(held.scene)] + grid.labels(of: held.chosen).map { .text($0) } + [
            .integer(held.chosen), .number(held.loss), .number(held.referenceLoss),
            .number(held.referenceLoss - held.loss),
          ]
        }
      })
  }

  /// `verdicts.csv`: gains with their intervals, over the grid and one threshold at a time.
  var verdicts: DataTable {
    let verdicts = [("all", run.verdict)] + run.questions.map { ($0.axes.joined(separator: "+"), $0.verdict) }
    return DataTable(
      columns: [
        "varied", "reason", "recommends_change", "chosen", "best", "equivalent", "scenes", "folds",
        "loss_reference",
        "loss_in_sample", "loss_nested", "optimism", "gain", "gain_standard_error", "gain_low_99",
        "gain_high_99",
      ],
      rows: verdicts.map { name, verdict in
        [
          .text(name), .text(verdict.reason.rawValue), .text(verdict.recommendsChange ? "true" : "false"),
          DataTable.Cell(verdict.choice?.chosen), DataTable.Cell(verdict.choice?.best),
          DataTable.Cell(verdict.choice?.equivalent), .integer(run.finals.scenes.count),
          DataTable.Cell(verdict.nested?.folds), .number(run.finals.loss(of: SearchGrid.reference)),
          DataTable.Cell(verdict.inSampleLoss), DataTable.Cell(verdict.nested?.loss),
          DataTable.Cell(verdict.optimism), DataTable.Cell(verdict.nested?.gain.mean),
          DataTable.Cell(verdict.nested?.gain.standardError), DataTable.Cell(verdict.interval?.lowerBound),
          DataTable.Cell(verdict.interval?.upperBound),
        ]
      })
  }

  /// `scenes.csv`: the finalists in every scene, on all pixels.
  var scenes: DataTable {
    DataTable(
      columns: ["scene", "configuration"] + grid.axes.map { $0.dimension.id.replacing("-", with: "_") }
        + ["frames", "frames_solved", "coverage", "loss", "loss_searched"],
      rows: run.confirmed.flatMap { scene in
        scene.configurations.map { index in
          let number = run.finals.scenes.firstIndex(of: scene.scene)
          let final = number.map { run.finals.losses(of: index)[$0] }
          let searched = number.map { run.searched.losses(of: index)[$0] }
          return [.text(scene.scene), .integer(index)] + grid.labels(of: index).map { .text($0) } + [
            .integer(scene.frames), .integer(scene.framesSolved(index)),
            DataTable.Cell(scene.coverage(index)), finite(final), finite(searched),
          ]
        }
      })
  }

  private func finite(_ value: Double?) -> DataTable.Cell {
    DataTable.Cell(value?.isFinite == true ? value : nil)
  }
}
