public import DepthReport

/// A table of an export: one observation per row.
public struct TidyTable: Sendable {
  /// Stem of the file: "frame_metrics".
  public let name: String
  /// What one row is: "scene × frame × method × metric".
  public let row: String
  /// The file of the run that it is made from.
  public let source: String
  /// Columns and rows; cells are texts of the run, digit by digit.
  public let content: DataTable
  /// Metrics that its column `metric` names, in the order of their appearance; empty without such a column.
  public let metrics: [String]

  init(_ name: String, row: String, source: String, columns: [String], rows: [[String]]) {
    (self.name, self.row, self.source) = (name, row, source)
    content = DataTable(
      columns: columns, rows: rows.map { $0.map { $0.isEmpty ? .empty : .text($0) } })
    let place = columns.firstIndex(of: "metric")
    var seen: Set<String> = []
    metrics = place.map { place in rows.map { $0[place] }.filter { seen.insert($0).inserted } } ?? []
  }

  /// Whether a row is about this metric.
  func holds(_ metric: String) -> Bool { metrics.contains(metric) }
}
