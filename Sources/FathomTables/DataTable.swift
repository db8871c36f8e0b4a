import Foundation
import FathomPlainText

/// A table in full precision: what a file or a rendered page is made from.
public struct DataTable: Sendable, Equatable {
  /// One field.
  public enum Cell: Sendable, Equatable {
    case text(String)
    case integer(Int)
    case number(Double)
    /// A value that does not exist.
    case empty
    public init(_ value: Double?) { self = value.map { .number($0) } ?? .empty }
    public init(_ value: Int?) { self = value.map { .integer($0) } ?? .empty }
    public init(_ value: String?) { self = value.map { .text($0) } ?? .empty }
  }

  /// What a row is: "scene × frame × method"; empty for a table that is shown and not kept.
  public let unit: String
  public let meanings: [ColumnMeaning]
  /// One array of `columns.count` cells per row.
  public let rows: DataRows
  /// Stable column names.
  public var columns: [String] { meanings.ids }

  /// A table that a file keeps.
  /// - Parameter unit: What a row is: "scene × method".
  /// - Parameter columns: Each gives one cell of a row.
  package init<Elements: Sequence & Sendable>(
    of unit: String, _ columns: [Column<Elements.Element>], _ elements: Elements, count: Int
  ) {
    let cells = columns.map(\.cell)
    self.init(
      of: unit, columns.map(\.meaning),
      DataRows(of: elements, count: count) { element in cells.map { $0(element) } })
  }

  package init<Element: Sendable>(of unit: String, _ columns: [Column<Element>], _ elements: [Element]) {
    self.init(of: unit, columns, elements, count: elements.count)
  }

  /// - Parameter rows: Each with one cell per column.
  package init(of unit: String, _ meanings: [ColumnMeaning], _ rows: DataRows) {
    (self.unit, self.meanings, self.rows) = (unit, meanings, rows)
  }

  /// A table that is shown and not kept, which needs no dictionary.
  /// - Precondition: every row has one cell per column.
  public init(columns: [String], rows: [[Cell]]) {
    precondition(rows.allSatisfy { $0.count == columns.count }, "one cell per column")
    self.init(of: "", columns.map { ColumnMeaning(named: $0) }, DataRows(rows))
  }

  /// RFC 4180 with line feeds: full precision, independent of locale, empty where there is no value. Text that a spreadsheet
  /// would calculate has an apostrophe in front; see `CSVCell`.
  public var csv: String {
    var bytes: [UInt8] = []
    writeCSV { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The same in pieces, so that a long table is never in memory as text.
  /// - Parameter take: Takes in whole lines.
  public func writeCSV<Failure: Error>(_ take: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    let columns = columns
    var lines: [UInt8] = []
    func add(_ fields: some Sequence<String>) {
      var isFirst = true
      for field in fields {
        if !isFirst { lines.append(UInt8(ascii: ",")) }
        isFirst = false
        lines.append(contentsOf: field.utf8)
      }
      lines.append(UInt8(ascii: "\n"))
    }
    add(columns.lazy.map(CSVCell.field))
    for row in rows {
      precondition(row.count == columns.count, "one cell per column")
      add(row.lazy.map(Self.field))
      if lines.count >= Self.pieceSize {
        try take(lines)
        lines.removeAll(keepingCapacity: true)
      }
    }
    try take(lines)
  }

  private static let pieceSize = 1 << 18  // Bytes of text that are handed over together.

  /// A cell as a field of a CSV file. Numbers need neither quotes nor a mark, and most cells are numbers.
  private static func field(_ cell: Cell) -> String {
    switch cell {
    case .number(let value) where value.isFinite: plain(cell)
    case .integer, .empty: plain(cell)
    case .text, .number: CSVCell.field(plain(cell))
    }
  }

  /// Full precision; infinity as "inf", as numpy and pandas read it.
  package static func plain(_ cell: Cell) -> String {
    switch cell {
    case .text(let text): text
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .empty: ""
    }
  }

  /// An array of one object per row; a value that does not exist, or is not finite, is null.
  public var json: String {
    let columns = columns
    let objects = rows.lazy.map { row in
      Dictionary(uniqueKeysWithValues: zip(columns, row.map(JSONCell.init)))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(Array(objects))).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
  }

  private struct JSONCell: Encodable {
    let cell: Cell

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch cell {
      case .text(let text): try container.encode(text)
      case .integer(let value): try container.encode(value)
      case .number(let value) where value.isFinite: try container.encode(value)
      case .number, .empty: try container.encodeNil()
      }
    }
  }
}
