import DepthEvaluation
import DepthReport
import Storage

/// Errors by something: range, confidence, share of pixels removed, size of the error.
enum CurveTables {
  static func tables(_ run: StoredRun) throws(FathomError) -> [TidyTable] {
    var tables: [TidyTable] = []
    for breakdown in Breakdown.all {
      guard let stored = try run.tidied(breakdown.id + ".csv") else { continue }
      let keys = ["method", "space"] + breakdown.keyColumns + ["scenes", "frames", "pixels"]
      let long = WideColumns(
        keys: keys, measures: stored.measures(after: keys), parts: WideColumns.interval)
      tables.append(
        TidyTable(
          breakdown.id,
          row: "method × \(breakdown.title.replacing("Error by ", with: "")) × metric",
          source: stored.name, columns: long.columns, rows: try long.rows(of: stored)))
    }
    if let stored = try run.tidied("cumulative.csv") {
      tables.append(
        TidyTable(
          "cumulative", row: "method × error", source: stored.name, columns: stored.header,
          rows: stored.rows))
    }
    if let stored = try run.tidied("sparsification.csv") { tables.append(try sparsification(stored)) }
    return tables
  }

  private static func sparsification(_ stored: StoredTable) throws(FathomError) -> TidyTable {
    let long = WideColumns(
      keys: ["method", "space", "scenes", "frames", "removed_share"],
      measures: ["by_confidence", "by_error", "random"], parts: WideColumns.value)
    let columns = long.columns.map { $0 == "metric" ? "order" : $0 == "value" ? "abs_rel_left" : $0 }
    return TidyTable(
      "sparsification", row: "method × share removed × order", source: stored.name, columns: columns,
      rows: try long.rows(of: stored))
  }
}
