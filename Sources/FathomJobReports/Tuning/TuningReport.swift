import DepthReport
import FathomStatistics
public import FathomDocuments
import FathomRunFolders
import FathomRuns
public import FathomTables
import FathomPlainText
public import DepthCharts
import DepthCore
import DepthEvaluation
import DepthTuning
import Foundation

/// The folder of a search: tables, figures and the report for people.
public struct TuningReport {
  let run: TuningRun, title: String, manifest: TuningManifest
  private let words: TuningWords, findings: TuningFindings, tables: TuningTables

  /// - Parameter folder: Where it lies, as commands name it; nil for a page, which says the same wherever it lies.
  init(_ result: TuneResult, in folder: String?) {
    (run, title, manifest) = (result.run, result.name, result.manifest)
    words = TuningWords(run: run)
    findings = TuningFindings(
      run, DataCommands(result.data.relative, inputs: manifest.inputs, scenePattern: manifest.scenePattern),
      folder: folder)
    tables = TuningTables(run: run)
  }

  /// The recommendation in one paragraph.
  public var headline: String { findings.recommendation }
  /// The tables, in order.
  public var files: [(name: String, table: DataTable)] { tables.files }
  /// The charts of the report.
  public var figures: [Figure] { TuningFigures(run: run).all }

  /// For standard output.
  /// - Parameter path: Of the folder, as it was asked for.
  public func console(path: String) -> String {
    let answer = findings.answer.lines.map { "\($0.label): \($0.text)" }
    let lines = ([findings.caveat].compactMap { $0 } + answer + findings.sentences.map { "- " + $0 })
      .map(\.withoutMarks)
    return lines.joined(separator: "\n") + "\n\n" + comparison.plain + "\nReport: \(path)/report.html"
  }

  /// The app's configuration, what the selection rule chooses, what is recommended, and the one of least loss, side by side: every
  /// scene, pixel and pair.
  private var comparison: DisplayTable {
    let scenes = run.confirmed.filter { run.finals.scenes.contains($0.scene) }
    let frames = scenes.reduce(0) { $0 + $1.frames }
    let shown =
      ([SearchGrid.reference, run.verdict.recommended]
      + [run.verdict.choice?.chosen, run.verdict.choice?.best].compactMap { $0 }).firstAppearances
    let metrics =
      TuningObjective.shownColumns
      + (run.plan.objective.column.map { column in
        TuningObjective.shownColumns.contains(column) ? [] : [column]
      } ?? [])
    let positions =
      metrics.compactMap { TuningObjective.columns.firstIndex(of: $0) }
      + (looksAtBoxes ? [TuningObjective.columns.count] : [])
    let displays = metrics.map(\.metric.display) + (looksAtBoxes ? [.millimetre] : [])
    func cells(_ value: (SceneScores, Int) -> Double?) -> [DisplayTable.Cell] {
      zip(positions, displays).map { position, display in
        let values = scenes.compactMap { value($0, position) }
        return .init(values.isEmpty ? nil : values.reduce(0, +) / Double(values.count), display)
      }
    }
    return DisplayTable(
      columns: [.text(""), .text("configuration")]
        + metrics.map { column in
          DisplayTable.Column(
            column, .millimetres,
            named: "\(column.metric.title)\(column.support == .measured ? ", measured" : "")")
        } + (looksAtBoxes ? [DisplayTable.Column("placement [mm]", .lowerIsBetter)] : [])
        + [DisplayTable.Column("frames with depth")],
      cells: [["raw LiDAR", "no fusion"] + cells { $0.lidarValue(column: $1) } + [.init(Quantity.none)]]
        + shown.map { index in
          [.init(roles(index)), .init(words.configuration(index))]
            + cells { $0.value(index, column: $1, withFallback: true) }
            + [.init("\(scenes.reduce(0) { $0 + $1.framesSolved(index) })/\(frames)")]
        })
  }

  private var looksAtBoxes: Bool { run.plan.objective.measure == .placement }

  private func roles(_ configuration: Int) -> String {
    var roles: [String] = []
    if configuration == SearchGrid.reference { roles.append("specified") }
    if configuration == run.verdict.recommended { roles.append("recommended") }
    if configuration == run.verdict.choice?.chosen { roles.append("chosen") }
    if configuration == run.verdict.choice?.best { roles.append("least loss") }
    return roles.joined(separator: ", ")
  }

  /// Values side by side: what is specified, chosen and recommended, threshold by threshold.
  private var thresholds: DisplayTable {
    let grid = run.plan.grid
    return DisplayTable(
      columns: ["threshold", "specified", "recommended", "chosen from all scenes", "searched"].map {
        DisplayTable.Column.text($0)
      } + [DisplayTable.Column.text("gain of choosing it alone [99 %]")],
      rows: grid.axes.enumerated().map { index, axis in
        let unit = axis.dimension.unit.map { " \($0)" } ?? ""
        let chosen = run.verdict.choice.map { grid.labels(of: $0.chosen)[index] } ?? "–"
        let question = run.questions.first { $0.axes.contains(axis.dimension.id) }
        return [
          axis.dimension.title, axis.values[axis.reference] + unit,
          grid.labels(of: run.verdict.recommended)[index] + unit, chosen + unit,
          axis.values.joined(separator: ", "), question.map(alone) ?? "–",
        ]
      })
  }

  private func alone(_ question: ThresholdQuestion) -> String {
    (question.axes.count > 1 ? "\(question.title): " : "") + words.shortGain(question.verdict)
  }

  /// What was looked at, and what was not.
  private var scope: String {
    var parts = ["\(run.finals.scenes.count) scenes: \(PageLimits.listed(run.finals.scenes))."]
    let valueless = run.scenes.map(\.name).filter { !run.finals.scenes.contains($0) }
    if !valueless.isEmpty {
      parts.append("Without a value of the objective: \(PageLimits.listed(valueless)).")
    }
    if !manifest.leftOut.isEmpty {
      parts.append("Skipped, without LiDAR, truth or relative map: \(PageLimits.listed(manifest.leftOut)).")
    }
    if let pattern = manifest.scenePattern { parts.append("Scenes asked for: \(pattern).") }
    if let frames = manifest.frameRange { parts.append("Frames asked for: \(frames).") }
    if run.scenes.contains(where: { !$0.header.hasConfidence }) {
      parts.append("Scenes without a confidence map count as confidence 2 throughout.")
    }
    return parts.joined(separator: " ")
  }

  private var frontTable: DisplayTable {
    let front = run.front.front
    let display = run.plan.objective.display
    let shown = front.count <= 12 ? front : (0..<12).map { front[$0 * (front.count - 1) / 11] }
    return DisplayTable(
      columns: [
        DisplayTable.Column("coverage [%]"),
        DisplayTable.Column(
          (run.plan.objective.column?.metric.title ?? "placement") + ", frames with depth"
            + (display.symbol.map { " [\($0)]" } ?? "")),
        DisplayTable.Column.text("configuration"),
      ],
      cells: shown.map { point in
        [
          .init(point.coverage, .percent), .init(words.value(ofLoss: point.loss), display),
          .init(words.configuration(point.configuration)),
        ]
      })
  }

  /// What the pages say.
  public func document(drawing: Bool = true) -> ReportDocument {
    let figures = drawing ? self.figures : []
    return ReportDocument(
      title: "\(title.asDataSet): which thresholds?", caveat: findings.caveat,
      sections: [
        .init("answer", "Verdict", [.answer(findings.answer)]),
        .init("findings", "Findings", [.list(findings.sentences)]), specified, sensitivity(figures), coverage,
        procedure,
      ])
  }

  private var specified: ReportDocument.Section {
    .init(
      "thresholds", "Specified and recommended",
      [
        .table("thresholds", caption: "The thresholds, specified and recommended.", thresholds),
        .paragraph(
          "`tuned.yaml`, beside this page, holds the recommended values: \(findings.evaluatingTuned)\(DataCommands.meaningOfFolder)."
        ),
        .table("configurations", caption: "Configurations side by side.", comparison),
        .paragraph(
          "Every pixel and pair of every scene; the raw LiDAR replaces refused frames, which cover nothing. \"Chosen\" is "
            + "what the selection rule takes from all scenes. It is recommended only if its gain in held-out scenes is "
            + "established."),
      ])
  }

  private var withoutEffect: [String] { TuningFigures(run: run).withoutEffect }

  private func sensitivity(_ figures: [Figure]) -> ReportDocument.Section {
    .init(
      "sensitivity", "Sensitivity",
      (figures.isEmpty
        ? [.paragraph("No figures were drawn; every configuration is in `tune.csv`.")]
        : figures.map { .figure(FigureBlock($0)) })
        + (withoutEffect.isEmpty || figures.isEmpty
          ? []
          : [
            .paragraph(
              "No chart, because no value changes anything here: \(withoutEffect.joined(separator: ", ")).")
          ]) + [
          .paragraph(
            "Differences from the specified defaults, with all other thresholds as the selection rule chooses, on the search's sample; bands are "
              + "95 % intervals over scenes. The numbers are in `figures/*.csv`.")
        ])
  }

  private var coverage: ReportDocument.Section {
    .init(
      "coverage", "Coverage against error",
      [
        .table("front", caption: "Coverage against error of frames with depth.", frontTable),
        .paragraph(
          "On the search's sample of pixels. No configuration has both more coverage and less error on the frames that it solves. A frame that is refused covers "
            + "nothing here; in all other tables the raw LiDAR replaces it."),
      ])
  }

  /// How it was done, and with what.
  private var procedure: ReportDocument.Section {
    let (plan, grid) = (run.plan, run.plan.grid)
    let direction =
      plan.objective.column.map { " (\($0.metric.formula)), \($0.metric.direction.arrow)" } ?? ""
    let floor =
      plan.objective.coverageFloor.map { "at least \($0) of the truth" }
      ?? "as much of the truth as the specified defaults, less 0.1 %"
    let folds =
      run.verdict.nested.map { nested in
        nested.folds == nested.heldOut.count
          ? "one scene at a time is held out" : "scenes are held out in \(nested.folds) parts"
      } ?? "nothing can be held out"
    return .init(
      "procedure", "How it was done",
      [
        .list([
          "Objective: \(plan.objective.title)\(direction). Refused frames count as the raw LiDAR. A choice must cover \(floor).",
          "\(grid.configurations.count) configurations (\(grid.impossible) combinations make no sense, \(grid.repeated) repeat "
            + "another). Fixed: \(fixed).",
          "The search scores \(samples); the \(run.confirmed.first?.configurations.count ?? 0) finalists are scored on every "
            + "pixel and pair, and all verdicts rest on those scores.",
          "Selection rule: of the configurations within one standard error (paired, over scenes) of the least loss, "
            + "the one with the fewest changes. Validation: \(folds), the choice is made from the others and scored in it "
            + "(`folds.csv`).",
          "A change is recommended only where the mean gain in held-out scenes has a 99 % interval above zero and exceeds one "
            + "standard error, from 5 scenes on. Interval: Student's t over scenes, its standard error enlarged because "
            + "choices that leave one part out share most of their scenes (Nadeau & Bengio 2003). All verdicts: "
            + "`verdicts.csv`.", "Protocol \(plan.rules.summary). \(scope)",
          "Files: `tune.csv` (every configuration, every metric), `losses.csv` (every configuration, every scene), `scenes.csv` "
            + "(finalists by scene, all pixels), `folds.csv`, `verdicts.csv`.",
        ]),
        .list(
          manifest.inputs.map { "`\($0.file)`, SHA-256 `\($0.sha256)`" }
            + ["fathom \(manifest.version), seed \(plan.seed)"]),
      ])
  }

  private var samples: String {
    (run.plan.searchPixels.map { "at most \($0) truth pixels of a frame" } ?? "all truth pixels")
      + (run.plan.searchPairs.map {
        "; methods other than least squares fit at most \($0) pairs, least squares all"
      } ?? "; all pairs are fitted")
  }

  private var fixed: String {
    manifest.fixed.isEmpty
      ? "what is not varied, at the defaults of `evaluate`"
      : manifest.fixed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        + ", the rest at the defaults of `evaluate`"
  }
}
