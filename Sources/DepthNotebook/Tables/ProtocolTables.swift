import DepthReport
import Storage

/// `protocols`, where the run scored under other protocols, too.
enum ProtocolTables {
  static func tables(_ run: StoredRun) throws(FathomError) -> [TidyTable] {
    guard let stored = try run.tidied("protocols.csv") else { return [] }
    let keys = [
      "protocol", "step", "switch", "statement", "complete", "method", "oracle", "scenes", "frames",
    ]
    let long = WideColumns(
      keys: keys, measures: stored.measures(after: keys),
      parts: WideColumns.interval + [.init(name: "change", suffix: "_change")])
    return [
      TidyTable(
        "protocols", row: "protocol × step × method × metric", source: stored.name, columns: long.columns,
        rows: try long.rows(of: stored))
    ]
  }
}
