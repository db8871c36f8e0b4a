import FathomPlainText
import DepthEvaluation
import DepthVerdicts
import FathomStatistics

/// A compared column in the unit in which charts show its differences: that of an evaluation's charts.
///
/// A difference of shares is in percentage points, because "3 %" would read as a relative change.
struct DifferenceMeasure {
  let column: ComparedColumn
  /// "mm"; nil for a number without one.
  let unit: String?
  let scale: Double  // Charts show differences times this.

  init(_ column: ComparedColumn) {
    self.column = column
    unit = column.display == .percent ? Self.points : column.display.symbol
    scale = column.display.scale
  }

  static let points = "percentage points"
  /// Said once of a list of differences: ", in percentage points"; empty where each has its unit.
  var remark: String { unit == Self.points ? ", in \(Self.points)" : "" }

  /// "+3.2 mm [1.1, 5.4]", "+0.3"; the unit of the tables in, that of the chart out.
  func text(_ difference: Double, _ interval: ConfidenceInterval? = nil) -> String {
    let symbol = unit == Self.points ? "" : unit ?? ""
    return Quantity(
      difference, .significant(3, times: scale, unit: symbol).signed, low: interval?.low, high: interval?.high
    ).text
  }
}
