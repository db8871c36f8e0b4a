import FathomStatistics

/// A column of a table, declared once: its name, what it means, and how a row gives its cell. CSV, JSON and the table dictionary are
/// made from it.
public struct Column<Row>: Sendable {
  public let meaning: ColumnMeaning
  let cell: @Sendable (Row) -> DataTable.Cell

  init(_ meaning: ColumnMeaning, _ cell: @escaping @Sendable (Row) -> DataTable.Cell) {
    (self.meaning, self.cell) = (meaning, cell)
  }

  static func text(
    _ id: String, _ meaning: String, missing: String = "", _ value: @escaping @Sendable (Row) -> String?
  ) -> Column {
    Column(ColumnMeaning(id, .text, meaning, missing: missing)) { .init(value($0)) }
  }

  static func integer(
    _ id: String, _ meaning: String, unit: String = "", missing: String = "",
    _ value: @escaping @Sendable (Row) -> Int?
  ) -> Column {
    Column(ColumnMeaning(id, .integer, unit: unit, meaning, missing: missing)) { .init(value($0)) }
  }

  static func number(
    _ id: String, _ meaning: String, unit: String = "", missing: String = "",
    _ value: @escaping @Sendable (Row) -> Double?
  ) -> Column {
    Column(ColumnMeaning(id, .number, unit: unit, meaning, missing: missing)) { .init(value($0)) }
  }

  /// The same of a row that holds what it was declared for.
  func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row) -> Column<Whole> {
    Column<Whole>(meaning) { [cell] in cell(part($0)) }
  }
}

extension [ColumnMeaning] {
  var ids: [String] { map(\.id) }
}

/// Columns that mean the same wherever they stand.
enum CommonColumn {
  static let noInterval = "fewer than four scenes, or no value"

  static func scene<Row>(_ value: @escaping @Sendable (Row) -> String) -> Column<Row> {
    .text("scene", "name of the scene, unique in the run", value)
  }

  static func method<Row>(_ value: @escaping @Sendable (Row) -> String) -> Column<Row> {
    .text("method", "fusion method, with the form of its fit where it has several: ols@disparity", value)
  }

  static func space<Row>(_ value: @escaping @Sendable (Row) -> String?) -> Column<Row> {
    .text(
      "space", "form of the fit: depth, disparity or log",
      missing: "the method fits no line, or scenes differ", value)
  }

  /// Scenes and frames that have a value.
  static func counts<Row>(
    scenes: @escaping @Sendable (Row) -> Int, frames: @escaping @Sendable (Row) -> Int
  ) -> [Column<Row>] {
    [
      .integer("scenes", "scenes that have a value", scenes),
      .integer("frames", "frames that have a value", frames),
    ]
  }

  /// `low`, `high`.
  static func interval<Row>(
    unit: String = ColumnMeaning.ofMetric, _ interval: @escaping @Sendable (Row) -> ConfidenceInterval?
  ) -> [Column<Row>] {
    [
      .number("low", "lower end of the 95 % interval over scenes", unit: unit, missing: noInterval) {
        interval($0)?.low
      },
      .number("high", "upper end of the 95 % interval over scenes", unit: unit, missing: noInterval) {
        interval($0)?.high
      },
    ]
  }

  /// `bca_low`, `bca_high`.
  static func bca<Row>(
    unit: String = ColumnMeaning.ofMetric, _ interval: @escaping @Sendable (Row) -> ConfidenceInterval?
  ) -> [Column<Row>] {
    [
      .number(
        "bca_low", "lower end of the 95 % BCa interval, too narrow for few scenes", unit: unit,
        missing: noInterval
      ) { interval($0)?.bcaLow },
      .number(
        "bca_high", "upper end of the 95 % BCa interval, too narrow for few scenes", unit: unit,
        missing: noInterval
      ) { interval($0)?.bcaHigh },
    ]
  }
}
