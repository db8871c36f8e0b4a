package import FathomStorage
package import FathomTables

extension JSONValue {
  /// One object per row.
  /// - Parameter columns: What they are; a column that is not among them is text.
  package init(_ table: ResultTable, columns: [ColumnMeaning]) {
    let types = Dictionary(columns.map { ($0.id, $0.type) }, uniquingKeysWith: { first, _ in first })
    self = .list(
      table.rows.map { row in
        .keyed(
          Dictionary(
            zip(table.header, row).map { ($0, Self.value($1, types[$0] ?? .text)) },
            uniquingKeysWith: { first, _ in first }))
      })
  }

  /// Null for an empty cell; JSON knows no infinity.
  private static func value(_ cell: String, _ type: ColumnMeaning.Kind) -> JSONValue {
    guard !cell.isEmpty else { return .null }
    switch type {
    case .text: return .text(cell)
    case .integer: return Int(cell).map { .integer($0) } ?? .null
    case .number: return Double(cell).flatMap { $0.isFinite ? .number($0) : nil } ?? .null
    }
  }
}
