package import FathomPlainText
public import FathomStatistics

/// A table for people: rounded text, aligned; drawn for the terminal and for Markdown.
public struct DisplayTable: Codable, Sendable, Equatable {
  /// A column head and how its cells are aligned.
  public struct Column: Codable, Sendable, Equatable {
    package let title: String  // With the arrow of what is better: "RMSE [m] ↓".
    /// What is better; nil where nothing is, and in documents of version 0.1.
    let direction: BetterDirection?
    let isNumeric: Bool
    /// Column of the tables that the numbers are from, "mae_m_measured", and what they are of its values: 1000 where metres are
    /// shown as millimetres. nil where the numbers are not a metric's.
    package var source: Source?
    /// Row of the document that says what it is: "definition-mae_m".
    package var target: String?
    /// Where numbers are from.
    public struct Source: Codable, Sendable, Equatable {
      public let column: String, scale: Double
      package init(column: String, scale: Double) { (self.column, self.scale) = (column, scale) }
    }

    /// - Parameter direction: Shown behind the name as an arrow.
    public init(_ name: String, _ direction: BetterDirection? = nil, numeric: Bool = true) {
      title = direction.map { "\(name) \($0.arrow)" } ?? name
      (self.direction, isNumeric) = (direction, numeric)
    }

    /// Of words, aligned at the left.
    public static func text(_ name: String) -> Column { Column(name, numeric: false) }

    /// "RMSE [m]"
    package var name: String { direction.map { String(title.dropLast($0.arrow.count + 1)) } ?? title }
  }

  /// A field: what is shown, and the number behind it where it was given.
  public struct Cell: Sendable, Equatable, ExpressibleByStringLiteral {
    /// Rounded, without its interval.
    public var number: String
    /// "[0.0100, 0.0150]"
    public var interval: String?
    /// In full precision, for sorting and for programs; in the unit of the column's head.
    public var value: Double?
    /// Ends of the 95 % interval.
    public var low: Double?
    public var high: Double?
    /// Whether no other candidate of the column is better.
    public var isBest: Bool?
    /// Whether the value rests on fewer frames than those of other methods, and is not ranked.
    public var isPartial: Bool?
    /// Row of the document that says what it is: "definition-auto".
    public var target: String?
    /// What other cells name as their ``target``.
    public var anchor: String?
    public init(_ text: String) { number = text }
    public init(stringLiteral text: String) { self.init(text) }

    /// A name that the row defines.
    package init(defining name: String, _ anchor: String) {
      self.init(name)
      self.anchor = anchor
    }

    /// A whole number.
    package init(count: Int) {
      self.init("\(count)")
      value = Double(count)
    }

    /// A rounded number with its interval: "0.0123 [0.0100, 0.0150]"; "0.0123† [0.0100, 0.0150]" of fewer frames.
    package init(
      _ value: Double?, digits: Int = 4, interval: ConfidenceInterval? = nil, isBest: Bool = false,
      isPartial: Bool = false
    ) {
      self.init(
        Quantity(value, .significant(digits, ofEnds: 3), low: interval?.low, high: interval?.high),
        isPartial: isPartial)
      self.isBest = isBest ? true : nil
    }

    /// A number as it is written; "0.0123†" of fewer frames.
    package init(_ quantity: Quantity, isPartial: Bool = false) {
      let isMarked = isPartial && quantity.value != nil
      number = quantity.number + (isMarked ? DisplayTable.partialMark : "")
      interval = quantity.bracket
      let shown = quantity.shown
      value = shown.value.flatMap { $0.isFinite ? $0 : nil }
      (low, high) = (shown.low, shown.high)
      self.isPartial = isMarked ? true : nil
    }

    /// The same number, with the digits that the interval supports.
    package var withoutInterval: DisplayTable.Cell {
      var cell = self
      (cell.interval, cell.low, cell.high) = (nil, nil, nil)
      return cell
    }

    /// As one text, with the interval behind the number where there is one.
    public var text: String { interval.map { "\(number) \($0)" } ?? number }
    package var isMissing: Bool { number.isEmpty || number == Quantity.none }  // Whether there is no value.
  }

  public let columns: [Column], rows: [[Cell]]

  public init(columns: [Column], rows: [[String]]) {
    self.init(columns: columns, cells: rows.map { $0.map { Cell($0) } })
  }

  public init(columns: [Column], cells rows: [[Cell]]) { (self.columns, self.rows) = (columns, rows) }

  /// - Throws: `DecodingError`, also where a row has more or fewer cells than there are columns.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    columns = try values.decode([Column].self, forKey: .columns)
    rows = try values.decode([[Cell]].self, forKey: .rows)
    if let wrong = rows.firstIndex(where: { $0.count != columns.count }) {
      throw DecodingError.dataCorruptedError(
        forKey: .rows, in: values,
        debugDescription: "row \(wrong) has \(rows[wrong].count) cells for \(columns.count) columns")
    }
  }

  static let partialMark = "†"  // Beside what rests on fewer frames than the values of other methods.

  /// What † means; nil in a table without it.
  public var partialNote: String? {
    rows.contains { $0.contains { $0.isPartial == true } }
      ? "\(Self.partialMark) Based on fewer frames than the values of other methods, which may be easier or harder: not ranked, and never bold."
      : nil
  }

  /// Without the columns that have no value in any row; the first stays, and all where no row has one.
  public func withoutEmptyColumns() -> DisplayTable {
    let kept = columns.indices.filter { column in column == 0 || rows.contains { !$0[column].isMissing } }
    guard kept.count > 1, kept.count < columns.count else { return self }
    return DisplayTable(columns: kept.map { columns[$0] }, cells: rows.map { row in kept.map { row[$0] } })
  }

  /// For a terminal.
  public var plain: String {
    drawn({ $0.visible }, left: "", between: " ", right: "") { width, _ in
      String(repeating: "-", count: width)
    }
  }

  public var markdown: String {
    drawn({ MarkdownText.cell($0) }, left: "| ", between: " | ", right: " |") { width, isNumeric in
      let line = String(repeating: "-", count: Swift.max(width, 3) + 1)
      return isNumeric ? line + ":" : ":" + line
    }
  }

  /// Lines with cells as wide as the widest of their column; empty without rows.
  /// - Parameter shown: A text as the format shows it.
  /// - Parameter rule: What stands between head and rows, of a column's width.
  private func drawn(
    _ shown: (String) -> String, left: String, between: String, right: String,
    rule: (_ width: Int, _ isNumeric: Bool) -> String
  ) -> String {
    guard !rows.isEmpty else { return "" }
    let lines = [columns.map { shown($0.title) }] + rows.map { row in row.map { shown($0.text) } }
    let widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      let padded = columns.indices.map { column in
        let blanks = String(repeating: " ", count: widths[column] - cells[column].count)
        return columns[column].isNumeric ? blanks + cells[column] : cells[column] + blanks
      }
      return left + padded.joined(separator: between) + right + "\n"
    }
    func trimmed(_ text: String) -> String { text.filter { $0 != " " } }
    let rules = columns.indices.map { rule(widths[$0], columns[$0].isNumeric) }
    return line(lines[0]) + trimmed(left) + rules.joined(separator: left.isEmpty ? between : trimmed(between))
      + trimmed(right) + "\n" + lines.dropFirst().map(line).joined()
  }
}

extension DisplayTable.Cell: Codable {
  /// The text is stored with its interval, for those who read it.
  private struct Stored: Codable {
    let text: String, interval: String?, value: Double?, low: Double?, high: Double?
    let isBest: Bool?, isPartial: Bool?, target: String?, anchor: String?
  }

  public init(from decoder: any Decoder) throws {
    let stored = try Stored(from: decoder)
    self.init(stored.interval.map { String(stored.text.dropLast($0.count + 1)) } ?? stored.text)
    (interval, value, low, high) = (stored.interval, stored.value, stored.low, stored.high)
    (isBest, isPartial, target, anchor) = (stored.isBest, stored.isPartial, stored.target, stored.anchor)
  }

  public func encode(to encoder: any Encoder) throws {
    try Stored(
      text: text, interval: interval, value: value, low: low, high: high, isBest: isBest,
      isPartial: isPartial, target: target, anchor: anchor
    ).encode(to: encoder)
  }
}
