package import FathomStatistics
package import FathomTables

/// Columns that mean the same wherever they stand.
package enum CommonColumn {
  package static let noInterval = "fewer than four scenes, or no value"

  package static func scene<Row>(_ value: @escaping @Sendable (Row) -> String) -> Column<Row> {
    .text("scene", "name of the scene, unique in the run", value)
  }

  package static func method<Row>(_ value: @escaping @Sendable (Row) -> String) -> Column<Row> {
    .text("method", "fusion method, with the form of its fit where it has several: ols@disparity", value)
  }

  package static func space<Row>(_ value: @escaping @Sendable (Row) -> String?) -> Column<Row> {
    .text(
      "space", "form of the fit: depth, disparity or log",
      missing: "the method fits no line, or scenes differ", value)
  }

  /// Scenes and frames that have a value.
  package static func counts<Row>(
    scenes: @escaping @Sendable (Row) -> Int, frames: @escaping @Sendable (Row) -> Int
  ) -> [Column<Row>] {
    [
      .integer("scenes", "scenes that have a value", scenes),
      .integer("frames", "frames that have a value", frames),
    ]
  }

  /// Which test `p` is of: not the one of the run's planned comparison.
  package static func test<Row>(_ isTested: @escaping @Sendable (Row) -> Bool) -> Column<Row> {
    .text(
      "test", "test of p: wilcoxon; verdict.json has the run's single planned test, by sign flips",
      missing: "no p"
    ) { isTested($0) ? "wilcoxon" : nil }
  }

  /// `low`, `high`.
  package static func interval<Row>(
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
  package static func bca<Row>(
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
