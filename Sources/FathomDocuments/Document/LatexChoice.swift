import DepthCore
import FathomPlainText
import Foundation

/// Which tables of a report a paper takes, and how: those of some names, some of their columns and rows, lengths in one unit.
public struct LatexChoice: Sendable {
  /// A unit of length.
  public enum Unit: String, Sendable, CaseIterable {
    case m, cm, mm

    /// Of a metre.
    var parts: Double {
      switch self {
      case .m: 1
      case .cm: 100
      case .mm: 1000
      }
    }
  }

  /// Why a choice cannot be made: which of its parts, and what there is instead.
  public struct Refusal: Error, Sendable, Equatable { public let option: String, reason: String }
  /// Names of tables, "methods"; empty for all measured ones.
  public var tables: [String] = []
  /// Names of columns without units, "MAE"; empty for all. The first column always stays.
  public var columns: [String] = []
  /// What stands in the first column of the rows to take, "auto"; empty for all.
  public var methods: [String] = []
  /// nil for the report's own.
  public var unit: Unit?
  public init() {}

  /// The tables of a document that were chosen, in its order.
  /// - Throws: `Refusal` for the first word that names nothing.
  func blocks(of document: ReportDocument) throws(Refusal) -> [TableBlock] {
    let all = document.allSections.flatMap(\.blocks).compactMap { block -> TableBlock? in
      if case .table(let table) = block, !table.table.rows.isEmpty { table } else { nil }
    }
    // Definitions are not results, but who names them gets them.
    let chosen = tables.isEmpty ? all.filter { $0.role == .result } : all.filter { tables.contains($0.id) }
    if let unknown = tables.first(where: { name in !all.contains { $0.id == name } }) {
      throw Refusal(option: "table", reason: Self.unknown(unknown, all.map(\.id)))
    }
    if let unknown = columns.first(where: { name in
      !chosen.contains { $0.table.columns.contains { Self.isNamed($0, name) } }
    }) {
      let names = chosen.flatMap { $0.table.columns.dropFirst().map { Self.withoutUnit($0.name) } }
      throw Refusal(option: "column", reason: Self.unknown(unknown, names.firstAppearances))
    }
    if let unknown = methods.first(where: { name in
      !chosen.contains { $0.table.rows.contains { $0.first?.number == name } }
    }) {
      let names = chosen.flatMap { $0.table.rows.compactMap { $0.first?.number } }
      throw Refusal(option: "method", reason: Self.unknown(unknown, names.firstAppearances))
    }
    return chosen.compactMap { block in
      var block = block
      block.table = taken(from: block.table)
      return block.table.rows.isEmpty || block.table.columns.count < 2 && !columns.isEmpty ? nil : block
    }
  }

  private static func unknown(_ word: String, _ names: [String]) -> String {
    "there is no '\(word)'; \(EditDistance.advice(for: word, among: names))"
  }

  private func taken(from table: DisplayTable) -> DisplayTable {
    let kept = table.columns.indices.filter { index in
      index == 0 || columns.isEmpty || columns.contains { Self.isNamed(table.columns[index], $0) }
    }
    let rows = table.rows.filter { row in
      methods.isEmpty || row.first.map { methods.contains($0.number) } ?? false
    }
    let shown = kept.map { converted(table.columns[$0]) }
    return DisplayTable(
      columns: shown.map(\.column),
      cells: rows.map { row in
        zip(kept, shown).map { index, shown in Self.cell(row[index], times: shown.factor) }
      })
  }

  private static func isNamed(_ column: DisplayTable.Column, _ name: String) -> Bool {
    [column.name, withoutUnit(column.name)].contains { $0.lowercased() == name.lowercased() }
  }

  /// "MAE" of "MAE [mm]".
  private static func withoutUnit(_ name: String) -> String {
    name.lastIndex(of: "[").map { name[..<$0].trimmingCharacters(in: .whitespaces) } ?? name
  }

  /// A column of lengths in the unit, and what its numbers are multiplied by; any other column as it is.
  private func converted(_ column: DisplayTable.Column) -> (column: DisplayTable.Column, factor: Double?) {
    guard let unit,
      let own = Unit.allCases.first(where: { column.name.hasSuffix("[\($0.rawValue)]") }), own != unit
    else { return (column, nil) }
    let name = Self.withoutUnit(column.name) + " [\(unit.rawValue)]"
    return (DisplayTable.Column(name, column.direction, numeric: column.isNumeric), unit.parts / own.parts)
  }

  /// The same number in another unit, with as many digits.
  private static func cell(_ cell: DisplayTable.Cell, times factor: Double?) -> DisplayTable.Cell {
    guard let factor, let value = cell.value else { return cell }
    let digits = max(1, significantDigits(cell.number))
    let ends = cell.interval.map { text in
      text.split(separator: ",").map { significantDigits(String($0)) }.max() ?? 3
    }
    var result = DisplayTable.Cell(
      Quantity(
        value * factor, .significant(digits, ofEnds: ends), low: cell.low.map { $0 * factor },
        high: cell.high.map { $0 * factor }), isPartial: cell.isPartial == true)
    result.isBest = cell.isBest
    return result
  }

  /// Of a number as it is written: 4 of "0.01840".
  private static func significantDigits(_ text: String) -> Int {
    let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber)
    return digits.drop { $0 == "0" }.count
  }
}
