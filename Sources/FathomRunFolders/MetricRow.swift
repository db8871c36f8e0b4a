package import DepthEvaluation
package import FathomStatistics
package import FathomTables

/// One row of a table with a row per metric: what it is about, the metric, and its value.
package struct MetricRow<Subject: Sendable>: Sendable {
  package let subject: Subject
  /// Id of a ``MetricMeaning``.
  package let metric: String
  package var support = Support.all
  package let value: Double, interval: ConfidenceInterval?

  /// - Returns: nil where there is no value: the table has no such row.
  package init?(
    _ subject: Subject, _ metric: String, _ support: Support = .all, _ value: Double?,
    _ interval: ConfidenceInterval? = nil
  ) {
    guard let value else { return nil }
    (self.subject, self.metric, self.support) = (subject, metric, support)
    (self.value, self.interval) = (value, interval)
  }
}

extension Column {
  /// `metric`: which one a row is about. The columns before it name what the row is about: rows that agree in all of them
  /// belong together.
  package static func metric(_ value: @escaping @Sendable (Row) -> String) -> Column {
    .text(metricID, "id of a metric; the dictionary's list of metrics says what it is", value)
  }

  /// `support`: which pixels.
  package static func support(_ value: @escaping @Sendable (Row) -> Support) -> Column {
    .text(
      supportID,
      "truth pixels that count: all; measured, where the bilinear LiDAR map has a value; filled, where it has none"
    ) { value($0).word }
  }
}

extension DataTable {
  /// A table with a row per metric: the subject's columns, `metric`, `value`, `low`, `high`.
  /// - Parameter subject: Columns that name what the metric is of.
  /// - Parameter more: Columns after the interval.
  package static func metrics<Subject>(
    of unit: String, _ subject: [Column<Subject>], value: String, _ rows: [MetricRow<Subject>],
    more: [Column<MetricRow<Subject>>] = []
  ) -> DataTable {
    DataTable(
      of: unit,
      subject.map { $0.of { $0.subject } } + [
        .metric { $0.metric },
        .number(valueID, value, unit: ColumnMeaning.ofMetric) { $0.value },
      ] + CommonColumn.interval { $0.interval } + more, rows)
  }
}
