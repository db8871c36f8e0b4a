import DepthReport
import Storage

/// `pairwise` and `ranks`, from the files of these names.
enum ComparisonTables {
  static func tables(_ run: StoredRun) throws(FathomError) -> [TidyTable] {
    var tables: [TidyTable] = []
    if let stored = try run.tidied("pairwise.csv") {
      tables.append(try renamed(stored, "pairwise", row: "pair of methods × metric × form"))
    }
    if let stored = try run.tidied("ranks.csv") {
      tables.append(try renamed(stored, "ranks", row: "metric × form × method"))
    }
    return tables
  }

  /// What these files call `column` is a metric, and is called so everywhere else.
  private static func renamed(
    _ stored: StoredTable, _ name: String, row: String
  ) throws(FathomError) -> TidyTable {
    let place = try stored.place("column")
    var columns = stored.header
    columns[place] = "metric"
    return TidyTable(name, row: row, source: stored.name, columns: columns, rows: stored.rows)
  }
}
