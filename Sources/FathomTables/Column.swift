/// A column of a table, declared once: its name, what it means, and how a row gives its cell. CSV, JSON and the table dictionary are
/// made from it.
public struct Column<Row>: Sendable {
  public let meaning: ColumnMeaning
  package let cell: @Sendable (Row) -> DataTable.Cell

  package init(_ meaning: ColumnMeaning, _ cell: @escaping @Sendable (Row) -> DataTable.Cell) {
    (self.meaning, self.cell) = (meaning, cell)
  }

  package static func text(
    _ id: String, _ meaning: String, missing: String = "", _ value: @escaping @Sendable (Row) -> String?
  ) -> Column { Column(ColumnMeaning(id, .text, meaning, missing: missing)) { .init(value($0)) } }

  package static func integer(
    _ id: String, _ meaning: String, unit: String = "", missing: String = "",
    _ value: @escaping @Sendable (Row) -> Int?
  ) -> Column {
    Column(ColumnMeaning(id, .integer, unit: unit, meaning, missing: missing)) { .init(value($0)) }
  }

  package static func number(
    _ id: String, _ meaning: String, unit: String = "", missing: String = "",
    _ value: @escaping @Sendable (Row) -> Double?
  ) -> Column {
    Column(ColumnMeaning(id, .number, unit: unit, meaning, missing: missing)) { .init(value($0)) }
  }

  /// The same of a row that holds what it was declared for.
  package func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row) -> Column<Whole> {
    Column<Whole>(meaning) { [cell] in cell(part($0)) }
  }
}

extension [ColumnMeaning] { package var ids: [String] { map(\.id) } }
