package import DepthEvaluation
import FathomDocuments
import FathomPlainText
package import FathomStatistics

extension DisplayTable.Column {
  /// A part of a metric's values, named after what it is of.
  package init(_ name: String, of column: MetricColumn, _ display: DisplayUnit) {
    self.init(name, column.metric.direction)
    source = Source(column: column.id, scale: display.scale)
  }

  /// "RMSE [mm] ↓"
  /// - Parameter name: nil for the metric's title.
  package init(_ column: MetricColumn, _ units: LengthUnit, named name: String? = nil) {
    let display = units.display(column.metric)
    let unit = display.symbol.map { " [\($0)]" } ?? ""
    self.init((name ?? column.metric.title) + unit, column.metric.direction)
    source = Source(column: column.id, scale: display.scale)
    target = Definition.anchor(column.metric)
  }
}

extension DisplayTable.Cell {
  /// A method, which leads to what it is.
  package init(method: String) {
    self.init(method)
    target = Definition.anchor(method: method)
  }

  /// A metric's value in the unit in which it is shown, with as many digits as its interval supports: "16.9 [15.1, 21.7]".
  package init(
    _ value: Double?, _ display: DisplayUnit, interval: ConfidenceInterval? = nil, isBest: Bool = false,
    isPartial: Bool = false
  ) {
    func shown(_ number: Double?) -> Double? { number.map { $0 * display.scale } }
    self.init(
      Quantity(shown(value), .supported(), low: shown(interval?.low), high: shown(interval?.high)),
      isPartial: isPartial)
    self.isBest = isBest ? true : nil
  }
}
