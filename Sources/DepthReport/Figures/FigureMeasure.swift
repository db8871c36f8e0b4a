import FathomPlainText
import DepthCharts
import DepthEvaluation
import FathomStatistics

/// A metric in the unit in which charts show it.
struct FigureMeasure {
  let column: MetricColumn
  private let display: DisplayUnit

  /// - Parameter display: nil for the metric's own.
  init(_ column: MetricColumn, in display: DisplayUnit? = nil) {
    (self.column, self.display) = (column, display ?? column.metric.display)
  }

  var title: String { column.title }
  var unit: String? { display.symbol }
  var scale: Double { display.scale }  // Charts show values times this.
  init(_ column: MetricColumn, _ units: LengthUnit) { self.init(column, in: units.display(column.metric)) }
  static let absRel = FigureMeasure(.absRel)

  /// The axis; logarithmic where the greatest value is more than four times the least.
  func axis(_ values: [Double?]) -> ChartAxis {
    let present = values.compactMap(\.self)
    let isWide = (present.min() ?? 0) > 0 && (present.max() ?? 0) > 4 * (present.min() ?? 0)
    return ChartAxis(title, unit: unit, isLogarithmic: isWide)
  }

  /// "18.4 mm [16.0, 21.2]"; the unit of the tables in, that of the chart out.
  func text(_ value: Double, _ interval: ConfidenceInterval? = nil) -> String {
    Quantity(value, .significant(3, times: scale, unit: unit ?? ""), low: interval?.low, high: interval?.high)
      .text
  }

  /// A series of these values.
  /// - Parameter values: In the unit of the tables.
  /// - Parameter intervals: One per value; none are drawn where all are nil.
  func series(
    _ name: String, x: [Double], _ values: [Double?], _ intervals: [ConfidenceInterval?],
    style: ChartSeries.Style, look: Int? = nil
  ) -> ChartSeries {
    let hasIntervals = intervals.contains { $0 != nil }
    return ChartSeries(
      name, x: x, y: values.map { $0.map { $0 * scale } },
      low: hasIntervals ? intervals.map { $0.map { $0.low * scale } } : nil,
      high: hasIntervals ? intervals.map { $0.map { $0.high * scale } } : nil, style: style, look: look)
  }

  /// "auto 18.4 mm, ols@disparity 19.0 mm, … and 9 more up to lidar-nearest 26.0 mm": the ends of a sorted list.
  func list(_ values: [(name: String, value: Double)], most: Int = 8) -> String {
    let shown = values.prefix(values.count > most + 1 ? most : values.count)
    var words = shown.map { "\($0.name) \(text($0.value))" }.joined(separator: ", ")
    if let last = values.last, shown.count < values.count {
      words += " and \(values.count - shown.count) more up to \(last.name) \(text(last.value))"
    }
    return words
  }
}
