import DepthReport
import Storage

/// `object_summary`, `detections` and `objects`, where the run looked at objects.
enum ObjectTables {
  static func tables(_ run: StoredRun) throws(FathomError) -> [TidyTable] {
    var tables: [TidyTable] = []
    if let stored = try run.tidied("object_summary.csv") {
      let keys = ["by", "bin", "depth", "method", "objects", "boxed", "scenes"]
      tables.append(
        try long(stored, "object_summary", keys, row: "group of objects × depth map × box method × metric"))
    }
    if let stored = try run.tidied("detections.csv") {
      let keys = ["by", "class", "matched", "spurious", "missed", "scenes"]
      tables.append(try long(stored, "detections", keys, row: "class × metric"))
    }
    if let stored = try run.tidied("objects.csv") {
      tables.append(
        TidyTable(
          "objects", row: "detected object × depth map × box method", source: stored.name,
          columns: stored.header, rows: stored.rows))
    }
    return tables
  }

  private static func long(
    _ stored: StoredTable, _ name: String, _ keys: [String], row: String
  ) throws(FathomError) -> TidyTable {
    let long = WideColumns(keys: keys, measures: stored.measures(after: keys), parts: WideColumns.interval)
    return TidyTable(
      name, row: row, source: stored.name, columns: long.columns, rows: try long.rows(of: stored))
  }
}
