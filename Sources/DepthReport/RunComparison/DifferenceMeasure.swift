import DepthEvaluation
import Statistics

/// A compared column in the unit in which charts show its differences: that of an evaluation's charts.
///
/// A difference of shares is in percentage points, because "3 %" would read as a relative change.
struct DifferenceMeasure {
  let column: ComparedColumn
  /// "mm"; nil for a number without one.
  let unit: String?
  /// Charts show differences times this.
  let scale: Double

  init(_ column: ComparedColumn) {
    self.column = column
    unit = column.display == .percent ? Self.points : column.display.symbol
    scale = column.display.scale
  }

  static let points = "percentage points"

  /// Said once of a list of differences: ", in percentage points"; empty where each has its unit.
  var remark: String { unit == Self.points ? ", in \(Self.points)" : "" }

  /// "+3.2 mm", "+0.3"; the unit of the tables in, that of the chart out.
  func text(_ difference: Double) -> String {
    let sign = difference > 0 ? "+" : ""
    return sign + number(difference) + (unit.map { $0 == Self.points ? "" : " \($0)" } ?? "")
  }

  /// "+3.2 mm (1.1 to 5.4)"
  func text(_ difference: Double, _ interval: ConfidenceInterval?) -> String {
    guard let interval else { return text(difference) }
    return "\(text(difference)) (\(number(interval.low)) to \(number(interval.high)))"
  }

  private func number(_ difference: Double) -> String { Rounded.number(difference * scale, digits: 3) }
}
