/// A table of a run that holds an impossible value: a fault of Fathom, never of the data.
public struct InconsistentTable: Error, Sendable, CustomStringConvertible {
  public let file: String
  public let violation: ResultLinter.Violation

  public var description: String {
    "\(file) would hold an impossible value: \(violation); this is a fault of fathom, nothing was written"
  }
}

extension RunTables {
  /// Applies the linter to every table before it is written.
  public func verify() throws(InconsistentTable) {
    for (name, table) in files {
      let rows = table.rows.map { $0.map(DataTable.plain) }
      // Names and reasons are free text.
      let free = Set(["scene", "frame", "method", "reason"].compactMap { table.columns.firstIndex(of: $0) })
      let checked = rows.map { row in row.indices.map { free.contains($0) ? "" : row[$0] } }
      if let first = ResultLinter(header: table.columns).violations(in: checked).first {
        throw InconsistentTable(file: name, violation: first)
      }
    }
  }
}
