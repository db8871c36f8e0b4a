import DepthEvaluation

/// Methods held against each other, for people.
enum ComparisonReport {
  /// A table, what it is called and what it shows.
  struct Section {
    let title: String
    let table: DisplayTable
    let notes: [String]
  }

  /// Every method against the baseline, and against `spec` where it ran.
  static func sections(_ run: EvaluationRun) -> [Section] {
    let methods = run.aggregation.summary.map(\.method)
    let baseline = run.baseline.hasPrefix("lidar-") ? "the raw LiDAR (\(run.baseline))" : run.baseline
    return [(run.baseline, baseline), ("spec", "the specification (spec)")].filter { reference, _ in
      methods.contains(reference)
    }.reduce(into: [(String, String)]()) { list, entry in
      if !list.contains(where: { $0.0 == entry.0 }) { list.append(entry) }
    }.map { reference, label in
      Section(
        title: "Against \(label)", table: table(run, reference, methods),
        notes: StatisticsNotes.verdict(run, against: reference))
    }
  }

  /// One row per method and form that differs: a second one where a frame was refused by either side.
  private static func table(_ run: EvaluationRun, _ reference: String, _ methods: [String]) -> DisplayTable {
    let rows = methods.filter { $0 != reference }.flatMap { method -> [[String]] in
      let solved = run.comparison(
        of: method, against: reference, column: Findings.headline, form: .solvedFrames)
      let fallback = run.comparison(
        of: method, against: reference, column: Findings.headline, form: .fallback)
      let coverage = run.aggregation.summary.first { $0.method == method }?.value(Metric.coverage.id)
      let forms =
        [("both solved", solved)] + (solved?.frames == fallback?.frames ? [] : [("with fallback", fallback)])
      // Without a frame that both solved there is nothing in the first form.
      return forms.filter { $0.1 != nil || fallback == nil }.map { row(method, $0.0, $0.1, coverage) }
    }
    return DisplayTable(
      columns: [
        .init("method", numeric: false), .init("frames taken", numeric: false), .init("MAE [m] ↓"),
        .init("\(reference) [m]"), .init("gain ↑"), .init("difference [m]"), .init("95 % interval"),
        .init("p"),
        .init("adjusted p"), .init("scenes"), .init("frames"), .init("coverage ↑"),
      ], rows: rows)
  }

  private static func row(
    _ method: String, _ form: String, _ comparison: PairedComparison?, _ coverage: Double?
  ) -> [String] {
    guard let comparison else {
      return [method, form] + Array(repeating: "–", count: 7) + ["0", "0", Rounded.number(coverage)]
    }
    let interval = comparison.interval.map {
      "\(Rounded.number($0.low, digits: 3)) … \(Rounded.number($0.high, digits: 3))"
    }
    return [
      method, form, Rounded.number(comparison.value), Rounded.number(comparison.referenceValue),
      signedPercent(comparison.relativeGain), Rounded.number(comparison.difference), interval ?? "–",
      Rounded.number(comparison.test?.pValue, digits: 2), Rounded.number(comparison.adjustedP, digits: 2),
      "\(comparison.scenes)", "\(comparison.frames)", Rounded.number(coverage),
    ]
  }

  private static func signedPercent(_ gain: Double?) -> String {
    guard let gain else { return "–" }
    let text = Rounded.percent(gain)
    return gain > 0 && text != Rounded.percent(0) ? "+" + text : text
  }

  /// Mean ranks; nil below five scenes.
  static func ranks(_ run: EvaluationRun) -> Section? {
    let rankings = run.statistics.rankings
    guard let first = rankings.first else { return nil }
    let orders = rankings.map { Dictionary(uniqueKeysWithValues: $0.ordered.map { ($0.method, $0) }) }
    return Section(
      title: "Ranks",
      table: DisplayTable(
        columns: [.init("method", numeric: false)]
          + rankings.flatMap { [.init("\($0.column): mean rank ↓"), .init("p against the best")] },
        rows: first.ordered.map { row in
          [row.method]
            + orders.flatMap { order in
              [
                Rounded.number(order[row.method]?.meanRank, digits: 3),
                Rounded.number(order[row.method]?.pAgainstBest, digits: 2),
              ]
            }
        }), notes: rankings.map(StatisticsNotes.ranks))
  }
}
