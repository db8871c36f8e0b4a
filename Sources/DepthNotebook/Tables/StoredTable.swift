import DepthReport
import Storage

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
  /// - Throws: `FathomError` where there is none.
  func place(_ column: String) throws(FathomError) -> Int {
    guard let place = places[column] else {
      throw FathomError(
        .badData, attempted: "read the run", place: path, reason: "it has no column '\(column)'",
        advice: "evaluate again with this version of fathom")
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

extension StoredRun {
  /// A table of the run for an export; nil where the run has none, or one without rows.
  ///
  /// - Parameters:
  ///   - name: File name: "ranges.csv".
  ///   - isRequired: Whether every run has it.
  /// - Throws: `FathomError` where the file is damaged, or missing although this run or every run has it.
  func tidied(_ name: String, isRequired: Bool = false) throws(FathomError) -> StoredTable? {
    guard let table = try table(name) else {
      guard isRequired else { return nil }
      throw folder.damaged(name, "it is not there, and the run is incomplete without it")
    }
    return table.rows.isEmpty ? nil : StoredTable(path: path + "/" + name, name: name, table)
  }
}
