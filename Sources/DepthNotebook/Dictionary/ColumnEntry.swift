/// What a column of a tidy table is, for the dictionary.
struct ColumnEntry: Sendable {
  /// How its cells are read.
  enum Kind: String, Sendable {
    case text, integer, number
  }

  let kind: Kind
  /// "m", "share"; empty for a text or a number without one; "metric" where the row's metric says it.
  let unit: String
  let definition: String
  /// When a cell is empty; empty where none is.
  let missing: String

  static func text(_ definition: String, missing: String = "") -> ColumnEntry {
    ColumnEntry(kind: .text, unit: "", definition: definition, missing: missing)
  }

  static func integer(_ definition: String, missing: String = "") -> ColumnEntry {
    ColumnEntry(kind: .integer, unit: "", definition: definition, missing: missing)
  }

  static func number(_ definition: String, unit: String = "", missing: String = "") -> ColumnEntry {
    ColumnEntry(kind: .number, unit: unit, definition: definition, missing: missing)
  }

  /// What is said of a column that only another version knows.
  static let unknown = text(
    "\(MetricEntry.unknownTo); see the documentation of the version that made the run",
    missing: "a value that does not exist")

  /// The column of this name: what it is in this table, else what it is everywhere.
  static func entry(_ column: String, of table: String) -> ColumnEntry {
    ofOneTable[table]?[column] ?? (table == "objects" ? objects[column] : nil) ?? ofAnyTable[column]
      ?? unknown
  }
}
