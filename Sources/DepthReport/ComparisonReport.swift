import FathomStatistics
import FathomDocuments
import FathomPlainText
import DepthEvaluation
import DepthFusion
import DepthVerdicts

/// Methods compared with each other, for people.
enum ComparisonReport {
  /// Every method against the baseline, and against `spec` where it solved frames.
  static func sections(_ run: EvaluationRun) -> [ReportDocument.Section] {
    let solved = Set(run.aggregation.summary.filter { $0.framesSolved > 0 }.map(\.method))
    let baseline =
      MethodSelection.rawLidar.contains { $0.id == run.baseline }
      ? "the raw LiDAR (\(run.baseline))" : run.name(of: run.baseline)
    let references =
      run.baseline == MethodSelection.spec.id
      ? [(run.baseline, baseline)]
      : [(run.baseline, baseline), (MethodSelection.spec.id, "the specification (\(MethodSelection.spec))")]
    return references.filter { solved.contains($0.0) }.compactMap { reference, label in
      let methods = run.aggregation.summary.map(\.method).filter { $0 != reference && solved.contains($0) }
      let table = table(run, reference, methods)
      guard table.rows.contains(where: { !$0[2].isMissing }) else { return nil }
      return .init(
        "against-\(reference)", "Against \(label)",
        paragraphs: [
          "\(pixels(run.basis)) A positive gain is a lower MAE. The outcome is better or worse if the interval of the difference excludes zero, else unclear; a lower error on fewer pixels is not comparable. **All comparisons but that of the answer are exploratory**: their intervals are those of "
            + "one comparison each, and among many some are better or worse by chance. `summary.csv` and `pairwise.csv` have their p values."
        ], caption: "Paired differences of the \(run.basis.mae.title) from \(run.name(of: reference)).", table
      )
    }
  }

  /// What is compared.
  private static func pixels(_ basis: ComparisonBasis) -> String {
    basis.hasLidar
      ? "Only pixels that the bilinear LiDAR map measures. Where a method refused frames, it has two rows: one over the "
        + "frames in which both have depth, one over all frames, with the raw LiDAR in place of the refused ones."
      : "All truth that counts, on the images in which both have depth."
  }

  /// One row per method and form that differs: a second one where a frame was refused by either side.
  private static func table(_ run: EvaluationRun, _ reference: String, _ methods: [String]) -> DisplayTable {
    let (column, units) = (run.basis.mae, run.plan.units)
    let rows = methods.flatMap { method -> [[DisplayTable.Cell]] in
      let solved = run.comparison(of: method, against: reference, column: column, form: .solvedFrames)
      let fallback = run.comparison(
        of: method, against: reference, column: column, form: run.basis.widestForm)
      // Where nothing was refused both forms are one.
      let forms =
        solved?.frames == fallback?.frames
        ? [(FrameWords.all, fallback)] : [(FrameWords.both, solved), (FrameWords.standIn, fallback)]
      // Without a frame that both solved there is nothing in the first form.
      return forms.compactMap { form, comparison in
        comparison.map { row(run, form, $0, units.display) }
      }
    }
    let unit = units.display.symbol.map { " [\($0)]" } ?? ""
    return DisplayTable(
      columns: [
        .text("method"), .text(FrameWords.head),
        .init(column, units, named: "MAE"), .init("\(run.name(of: reference))\(unit)"),
        .init("gain", .higherIsBetter), .init("difference\(unit)", .lowerIsBetter),
        .text("outcome"), .init("scenes"), .init("frames"),
      ], cells: rows)
  }

  private static func row(
    _ run: EvaluationRun, _ form: String, _ comparison: PairedComparison, _ display: DisplayUnit
  ) -> [DisplayTable.Cell] {
    let isComparable = run.obstacle(of: [comparison.method], in: comparison) == nil
    return [
      run.cell(of: comparison.method), .init(form), .init(comparison.value, display),
      .init(comparison.referenceValue, display),
      .init(Quantity(isComparable ? comparison.relativeGain : nil, .percent().signed)),
      .init(comparison.difference, display, interval: comparison.interval),
      .init(isComparable ? comparison.outcomeWords : "not comparable"),
      .init("\(comparison.scenes)"), .init("\(comparison.frames)"),
    ]
  }

  /// Mean ranks; nil below five scenes.
  static func ranks(_ run: EvaluationRun, _ verdict: RunVerdict) -> ReportDocument.Section? {
    let rankings = run.statistics.rankings
    guard let first = rankings.first else { return nil }
    let orders = rankings.map { Dictionary(uniqueKeysWithValues: $0.ordered.map { ($0.method, $0) }) }
    let frames =
      run.basis.hasLidar ? "with the raw LiDAR in place of refused frames" : "on images that all have"
    return .init(
      "ranks", "Ranks",
      paragraphs: [
        "Methods ranked within every \(run.sceneWord), 1 is the lowest error, \(frames); "
          + "oracles are excluded. p is Nemenyi's, corrected for all pairs; exploratory."
      ], caption: "Mean ranks of the methods over scenes, and p against the best.",
      DisplayTable(
        columns: [.text("method")]
          + rankings.flatMap {
            [.init("\($0.column.title): mean rank", .lowerIsBetter), .init("Nemenyi p against the best")]
          },
        cells: first.ordered.map { row in
          [run.cell(of: row.method)]
            + orders.flatMap { order in
              [
                .init(order[row.method]?.meanRank, digits: 3),
                .init(order[row.method]?.pAgainstBest, digits: 2),
              ]
            }
        }), notes: verdict.ranks.map { StatisticsNotes.ranks($0, run) }, folded: true)
  }
}
