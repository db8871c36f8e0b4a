import DepthFusion
import DepthReport
import Storage

/// `methods`, `summary` and `comparisons`, from `summary.csv`.
enum MethodTables {
  static func tables(_ run: StoredRun) throws(FathomError) -> [TidyTable] {
    guard let stored = try run.tidied("summary.csv", isRequired: true) else { return [] }
    let measures = try metrics(run)
    return [
      try methods(stored, run.manifest),
      try summary(stored, measures + [MetricEntry.coverageOfAllFrames].filter(stored.has)),
      try comparisons(stored, measures, baseline: run.manifest.baseline),
    ]
  }

  /// Ids of the run's metrics: the columns of `scenes.csv` after the keys, which have no suffixes.
  private static func metrics(_ run: StoredRun) throws(FathomError) -> [String] {
    let keys = ["scene", "method", "space", "frames", "frames_solved"]
    return try run.tidied("scenes.csv", isRequired: true)?.columns(without: keys) ?? []
  }

  private static func methods(
    _ stored: StoredTable, _ manifest: RunManifest
  ) throws(FathomError) -> TidyTable {
    let keys = ["method", "space", "scenes", "frames", "frames_solved"]
    let rows = try stored.columns(keys).map { row in
      let known = MethodCatalogue.family(ofID: row[0])
      let isOracle = known?.role == .oracle
      return row + [
        row[0] == manifest.baseline ? "baseline" : isOracle ? "oracle" : "method",
        manifest.minConfidence[row[0]].map { "\($0)" } ?? "", known?.title ?? "",
      ]
    }
    return TidyTable(
      "methods", row: "method", source: stored.name,
      columns: keys + ["role", "min_confidence", "title"], rows: rows)
  }

  private static func summary(
    _ stored: StoredTable, _ measures: [String]
  ) throws(FathomError) -> TidyTable {
    let long = WideColumns(
      keys: ["method"], measures: measures,
      parts: WideColumns.interval + [
        .init(name: "percentile_low", suffix: "_percentile_low"),
        .init(name: "percentile_high", suffix: "_percentile_high"),
      ])
    return TidyTable(
      "summary", row: "method × metric", source: stored.name,
      columns: long.columns + ["unit", "direction"],
      rows: try long.rows(of: stored).map { row in
        let metric = MetricEntry.entry(row[1])
        return row + [metric.unit, metric.direction]
      })
  }

  /// What methods are held against, and what stands between metric and ending in its columns.
  private struct Reference {
    let infix: String, method: String, form: String
  }

  /// Every metric that is held against something, in every form, on rows of its own.
  private static func comparisons(
    _ stored: StoredTable, _ measures: [String], baseline: String
  ) throws(FathomError) -> TidyTable {
    var references = [
      Reference(infix: "", method: baseline, form: "solved"),
      Reference(infix: "_fallback", method: baseline, form: "fallback"),
    ]
    // Where spec is the baseline, the same stands in the run under two names.
    if baseline != MethodSelection.spec.id {
      references += [
        Reference(infix: "_spec", method: MethodSelection.spec.id, form: "solved"),
        Reference(infix: "_spec_fallback", method: MethodSelection.spec.id, form: "fallback"),
      ]
    }
    var rows: [[String]] = []
    let names = ["difference", "low", "high", "percentile_low", "percentile_high", "p", "p_adjusted"]
    for reference in references {
      let stem = reference.infix + "_difference"
      let suffixes = [
        stem, stem + "_low", stem + "_high", stem + "_percentile_low", stem + "_percentile_high",
        reference.infix + "_p", reference.infix + "_p_adjusted",
      ]
      let long = WideColumns(
        keys: ["method"], measures: measures.filter { stored.has($0 + stem) },
        parts: zip(names, suffixes).map { .init(name: $0, suffix: $1, isLeading: $0 == "difference") })
      rows += try long.rows(of: stored).map { row in
        Array(row[..<2]) + [reference.method, reference.form] + row[2...]
      }
    }
    return TidyTable(
      "comparisons", row: "method × metric × reference × form", source: stored.name,
      columns: ["method", "metric", "reference", "form"] + names, rows: rows)
  }
}
