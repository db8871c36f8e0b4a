import Storage

extension JSONValue {
  /// One object per row. A column is one of numbers where every cell is written as Swift writes numbers, so that
  /// "007" stays a name; names of scenes, frames and methods always do.
  init(_ table: ResultTable) {
    let names: Set = ["scene", "frame", "method", "label", "class", "bin"]
    let isNumeric = table.header.indices.map { column in
      !names.contains(table.header[column])
        && table.rows.allSatisfy { column >= $0.count || Self.number($0[column]) != nil }
    }
    self = .list(
      table.rows.map { row in
        .keyed(
          Dictionary(
            zip(table.header.indices, row).map { column, cell in
              (
                table.header[column],
                isNumeric[column] ? Self.number(cell) ?? .null : cell.isEmpty ? .null : .text(cell)
              )
            }, uniquingKeysWith: { first, _ in first }))
      })
  }

  /// nil for what is no number; JSON knows no infinity.
  private static func number(_ cell: String) -> JSONValue? {
    if cell.isEmpty || ["inf", "-inf", "nan"].contains(cell) { return .null }
    if let value = Int(cell), "\(value)" == cell { return .integer(value) }
    if let value = Double(cell), "\(value)" == cell, value.isFinite { return .number(value) }
    return nil
  }
}
