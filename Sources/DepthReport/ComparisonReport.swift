import PlainText
import DepthEvaluation
import DepthFusion
import Statistics

/// Methods held against each other, for people.
enum ComparisonReport {
  /// A table, what it is called and what it shows.
  struct Section {
    /// Unique in the document.
    let id: String
    let title: String
    /// One sentence for the head of the table.
    let caption: String
    let table: DisplayTable
    let notes: [String]
  }

  /// Every method against the baseline, and against `spec` where it ran.
  static func sections(_ run: EvaluationRun, _ verdict: RunVerdict) -> [Section] {
    let methods = run.aggregation.summary.map(\.method)
    let baseline =
      MethodSelection.rawLidar.contains { $0.id == run.baseline }
      ? "the raw LiDAR (\(run.baseline))" : run.baseline
    return [
      (run.baseline, baseline), (MethodSelection.spec.id, "the specification (\(MethodSelection.spec))"),
    ].filter { reference, _ in
      methods.contains(reference)
    }.reduce(into: [(String, String)]()) { list, entry in
      if !list.contains(where: { $0.0 == entry.0 }) { list.append(entry) }
    }.map { reference, label in
      Section(
        id: "against-\(reference)", title: "Against \(label)",
        caption: "Paired differences of the MAE on measured pixels from \(reference).",
        table: table(run, reference, methods),
        notes: verdict.references.first { $0.reference == reference }.map(StatisticsNotes.verdict) ?? [])
    }
  }

  /// One row per method and form that differs: a second one where a frame was refused by either side.
  private static func table(_ run: EvaluationRun, _ reference: String, _ methods: [String]) -> DisplayTable {
    let rows = methods.filter { $0 != reference }.flatMap { method -> [[DisplayTable.Cell]] in
      let solved = run.comparison(
        of: method, against: reference, column: .maeMeasured, form: .solvedFrames)
      let fallback = run.comparison(
        of: method, against: reference, column: .maeMeasured, form: .fallback)
      let coverage = run.aggregation.summary.first { $0.method == method }?.value(.coverage)
      // Where nothing was refused both forms are one, and its adjusted p is that of all methods.
      let forms =
        solved?.frames == fallback?.frames
        ? [("all", fallback)] : [("both solved", solved), ("with fallback", fallback)]
      // Without a frame that both solved there is nothing in the first form.
      return forms.filter { $0.1 != nil || fallback == nil }.map { row(method, $0.0, $0.1, coverage) }
    }
    return DisplayTable(
      columns: [
        .init("method", numeric: false), .init("frames taken", numeric: false),
        .init("MAE [m]", .lowerIsBetter),
        .init("\(reference) [m]"), .init("gain", .higherIsBetter), .init("difference [m]"),
        .init("95 % interval"),
        .init("p"),
        .init("adjusted p"), .init("scenes"), .init("frames"), .init(.coverage),
      ], cells: rows)
  }

  private static func row(
    _ method: String, _ form: String, _ comparison: PairedComparison?, _ coverage: Double?
  ) -> [DisplayTable.Cell] {
    let (method, form) = (DisplayTable.Cell(method), DisplayTable.Cell(form))
    guard let comparison else {
      return [method, form] + Array(repeating: "–", count: 7) + ["0", "0", .init(coverage)]
    }
    let gain = DisplayTable.Cell(Quantity(comparison.relativeGain, .percent().signed))
    return [
      method, form, .init(comparison.value), .init(comparison.referenceValue), gain,
      .init(comparison.difference), interval(comparison.interval), .init(comparison.test?.pValue, digits: 2),
      .init(comparison.adjustedP, digits: 2), .init("\(comparison.scenes)"), .init("\(comparison.frames)"),
      .init(coverage),
    ]
  }

  /// Sorted by its middle.
  private static func interval(_ interval: ConfidenceInterval?) -> DisplayTable.Cell {
    guard let interval else { return "–" }
    var cell = DisplayTable.Cell(
      Quantity(nil, .significant(3), low: interval.low, high: interval.high).interval)
    (cell.value, cell.low, cell.high) = ((interval.low + interval.high) / 2, interval.low, interval.high)
    return cell
  }

  /// Mean ranks; nil below five scenes.
  static func ranks(_ run: EvaluationRun, _ verdict: RunVerdict) -> Section? {
    let rankings = run.statistics.rankings
    guard let first = rankings.first else { return nil }
    let orders = rankings.map { Dictionary(uniqueKeysWithValues: $0.ordered.map { ($0.method, $0) }) }
    return Section(
      id: "ranks", title: "Ranks", caption: "Mean ranks of the methods over scenes, and p against the best.",
      table: DisplayTable(
        columns: [.init("method", numeric: false)]
          + rankings.flatMap {
            [.init("\($0.column): mean rank", .lowerIsBetter), .init("p against the best")]
          },
        cells: first.ordered.map { row in
          [.init(row.method)]
            + orders.flatMap { order in
              [
                .init(order[row.method]?.meanRank, digits: 3),
                .init(order[row.method]?.pAgainstBest, digits: 2),
              ]
            }
        }), notes: verdict.ranks.map(StatisticsNotes.ranks))
  }
}
