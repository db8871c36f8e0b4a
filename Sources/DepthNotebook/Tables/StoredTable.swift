import DepthReport

/// A table as a run stores it: cells are copied as text, so that no digit changes.
struct StoredTable: Sendable {
  let path: String
  /// File name.
  let name: String
  let header: [String]
  let rows: [[String]]
  private let places: [String: Int]

  init(path: String, name: String, _ table: ResultTable) {
    (self.path, self.name, header, rows) = (path, name, table.header, table.rows)
    places = Dictionary(table.header.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether there is a column of this name.
  func has(_ column: String) -> Bool { places[column] != nil }

  /// Position of a column.
  ///
  /// - Throws: `ResultTableError` where there is none.
  func place(_ column: String) throws(ResultTableError) -> Int {
    guard let place = places[column] else {
      throw ResultTableError(
        path: path, reason: "it has no column '\(column)'",
        advice: "evaluate again with this version of fathom", isMissing: false)
    }
    return place
  }

  /// Position of a column; nil where there is none.
  func optionalPlace(_ column: String) -> Int? { places[column] }

  /// Columns that are left when these are taken away, in order.
  func columns(without taken: [String]) -> [String] {
    let taken = Set(taken)
    return header.filter { !taken.contains($0) }
  }
}
