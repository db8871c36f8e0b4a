import DepthReport
public import FathomDocuments
public import FathomRunFolders
import FathomTables
import FathomPlainText
import FathomStatistics
public import DepthCharts
import DepthVerdicts

/// Runs compared with each other, as a document for people: findings first.
public struct RunComparisonDocument {
  let comparison: RunComparison
  let figures: [Figure]  // What is drawn; empty for none.

  public init(_ comparison: RunComparison, figures: [Figure]) {
    (self.comparison, self.figures) = (comparison, figures)
  }

  public var document: ReportDocument {
    let findings = RunComparisonFindings(comparison)
    let names = comparison.candidates.map(\.label).joined(separator: ", ")
    return ReportDocument(
      title: "\(names) against \(comparison.label)", caveat: findings.caveat,
      sections: [
        .init("answer", "Verdict", [.overview(findings.overview), .answer(findings.answer)]),
        .init("findings", "Findings", [.list(findings.details)]), methods,
      ] + [gate, metrics, solved, options, runs, reading].compactMap(\.self))
  }

  private var tables: RunComparisonDisplay { RunComparisonDisplay(comparison) }
  private var protocolLine: String { "Protocol \(comparison.reference.manifest.protocolStatement)." }

  private func drawn(_ name: String) -> [ReportDocument.Block] {
    figures.filter { $0.name == name }.map { .figure(FigureBlock($0)) }
  }

  private var methods: ReportDocument.Section {
    let column = comparison.request.metric
    let scenes = figures.filter { $0.name.hasPrefix("scenes") }.map { ReportDocument.Block.figure(.init($0)) }
    return .init(
      "methods", "Methods: \(column.title)",
      paragraphs: [
        "\(protocolLine) The difference is that to \(comparison.label) on the frames that both runs have. \(refused)\(Self.sense(column))"
      ],
      caption:
        "\(RunComparisonFindings.title(column)) of every method in both runs\(IntervalNotes.suffix(mostScenes)).",
      tables.methods(column), then: drawn(RunComparisonFigures.name(column)) + scenes)
  }

  /// What becomes of refused frames; nothing where no LiDAR stands in.
  private var refused: String {
    comparison.basis.hasLidar
      ? "Where a run refused frames, a method has two rows: one over all frames, with the raw LiDAR in place of the refused ones, one over "
        + "those in which both have depth. " : ""
  }

  private var mostScenes: Int {
    comparison.differences.flatMap { $0.rows.compactMap { $0.comparison?.scenes } }.max() ?? 0
  }

  private var gate: ReportDocument.Section? {
    guard let gate = comparison.gate else { return nil }
    let others = comparison.columns.dropFirst().flatMap { drawn(RunComparisonFigures.name($0)) }
    return .init(
      "gate", "Gate",
      paragraphs: [
        "A method is worse where the 95 % interval of its worsening over scenes lies wholly beyond what is allowed, and "
          + "where swapping the runs in some scenes makes none of the "
          + "comparisons (\(gate.comparisons) could be judged) look as bad in more than "
          + "\(Quantity(WorseningGate.level, .percent(0)).text) of the choices of scenes (p). Runs that differ by nothing but noise "
          + "trip the gate in about that share of cases or fewer, whatever the noise is distributed like. Below "
          + "\(WorseningGate.fewestScenes) scenes nothing can be shown."
      ], caption: "What may not become worse, method by method.", tables.gate(gate), then: others)
  }

  private var metrics: ReportDocument.Section {
    let intervals = IntervalNotes.suffix(mostScenes)
    return .init(
      "metrics", "Other metrics",
      paragraphs: [
        "Differences to \(comparison.label)\(intervals). `differences.csv` holds every metric in every form."
      ], caption: "Differences in other metrics\(intervals).", tables.metrics)
  }

  private var solved: ReportDocument.Section {
    .init(
      "solved", "Frames with depth", caption: "Shared frames in which the methods have depth.", tables.solved)
  }

  private var options: ReportDocument.Section {
    let (title, table) = ("Options and versions that differ", tables.options)
    return table.rows.isEmpty
      ? .init(
        "options", title, [.paragraph("None: version, options, protocol and seed are the same.")])
      : .init("options", title, caption: "\(title).", role: .reference, table)
  }

  private var runs: ReportDocument.Section {
    .init("runs", "Runs", caption: "What was compared.", role: .reference, tables.runs)
  }

  private var reading: ReportDocument.Section {
    .init(
      "statistics", "How to read this",
      [
        .list([
          "The unit is the scene. A difference is the mean over scenes of the scene's mean over the frames that both runs have; frames are told by the content of their files, scene and frame identifier.",
          "Brackets are 95 % intervals over scenes: \(IntervalNotes.method). Fewer than \(ConfidenceInterval.fewestScenes) scenes have none. p is Wilcoxon's signed-rank test on the scenes' differences, adjusted by Holm over all methods and runs of a table's column and form.",
          "What Float32 rounding alone can make, a relative difference of a scene below one millionth, counts as none.",
          "Oracles look at the truth\(comparison.basis.hasLidar ? " and the raw LiDAR is the sensor's: both" : ": they") are compared, and judged by the gate only where they are named with `\(flag: "methods")`.",
          "Written by Fathom \(Version.current), seed \(comparison.reference.manifest.seed). `compare.json` holds the same for programs.",
        ])
      ])
  }

  private static func sense(_ column: ComparedColumn) -> String {
    switch column.direction {
    case .lowerIsBetter: "A negative difference is an improvement."
    case .higherIsBetter: "A positive difference is an improvement."
    case .zeroIsBest: "Best is a value of zero."
    }
  }
}
