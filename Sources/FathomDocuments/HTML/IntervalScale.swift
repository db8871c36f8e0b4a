import FathomPlainText
import DepthCore

/// The common axis of a column's interval bars.
///
/// One method that is ten times worse would leave no room for the others, so the axis covers what lies within
/// Tukey's outer fences (Exploratory Data Analysis, 1977, 2D): three quartile distances beyond the quartiles. What
/// lies beyond is drawn as an arrowhead at the axis's end.
struct IntervalScale: Sendable, Equatable {
  /// Ends of the axis: the lowest and the highest of the values within the fences and of their intervals' ends.
  let low: Double, high: Double
  let isExceeded: Bool  // Whether a value lies beyond an end.

  /// nil where fewer than two cells have an interval: a bar alone compares nothing.
  /// - Parameter fromZero: Whether the axis begins at zero, and needs no intervals: for lengths.
  init?(_ cells: [DisplayTable.Cell], fromZero: Bool = false) {
    guard fromZero || cells.count(where: { Self.interval(of: $0) != nil }) >= 2 else { return nil }
    let estimates = cells.compactMap(Self.estimate)
    let fences = Self.outerFences(estimates)
    let inside = cells.filter { cell in Self.estimate(of: cell).map { fences.contains($0) } ?? false }
    let numbers = inside.flatMap { [$0.value, $0.low, $0.high] }.compactMap { $0 }.filter(\.isFinite)
    guard let low = fromZero ? 0 : numbers.min(), let high = numbers.max(), low < high else { return nil }
    (self.low, self.high) = (low, high)
    isExceeded = estimates.contains { $0 > high || !fromZero && $0 < low }
  }

  /// A whisker with a dot, drawn in shares of the cell's width; for the eye only, the cell has the numbers.
  /// - Parameter reference: Where a line stands through all rows.
  func bar(for cell: DisplayTable.Cell, reference: Double? = nil) -> Markup {
    var marks: [Markup] = []
    if let reference, (low...high).contains(reference) {
      let place = position(reference)
      marks.append(#"<line class="reference" x1="\#(place)" x2="\#(place)" y1="0" y2="100%"/>"#)
    }
    if low < 0, high > 0 {
      let zero = position(0)
      marks.append(#"<line class="zero" x1="\#(zero)" x2="\#(zero)" y1="0" y2="100%"/>"#)
    }
    if let interval = Self.interval(of: cell), interval.high >= low, interval.low <= high {
      let (from, to) = (position(max(interval.low, low)), position(min(interval.high, high)))
      marks.append(#"<line x1="\#(from)" x2="\#(to)" y1="50%" y2="50%"/>"#)
    }
    if let value = cell.value, value.isFinite {
      if value < low {
        marks.append(#"<path d="M6,1 L0,4.5 L6,8 z"/>"#)
      } else if value > high {
        marks.append(#"<svg x="100%" overflow="visible"><path d="M-6,1 L0,4.5 L-6,8 z"/></svg>"#)
      } else {
        marks.append(#"<circle cx="\#(position(value))" cy="50%" r="3"/>"#)
      }
    }
    return #"<svg class="bar" aria-hidden="true">\#(marks)</svg>"#
  }

  /// The ends below a column's name.
  var axis: Markup {
    let ends = [low, high].map { Quantity($0, .significant(2)).text }
    return #"<span class="axis" aria-hidden="true"><span>\#(ends[0])</span><span>\#(ends[1])</span></span>"#
  }

  /// "12.5%", with room for a dot at both ends.
  private func position(_ number: Double) -> String {
    let tenths = Int(saturating: (40 + (number - low) / (high - low) * 920).rounded())
    return "\(tenths / 10).\(tenths % 10)%"
  }

  /// Everything where there are too few values to tell which of them are unusual.
  private static func outerFences(_ values: [Double]) -> ClosedRange<Double> {
    let everything = -Double.infinity...Double.infinity
    guard values.count >= 5 else { return everything }
    guard let lower = OrderStatistics.quantile(0.25, of: values),
      let upper = OrderStatistics.quantile(0.75, of: values), upper > lower
    else { return everything }
    return (lower - 3 * (upper - lower))...(upper + 3 * (upper - lower))
  }

  /// What decides whether a cell is unusual: its value, or where only the interval is given, the middle of that.
  private static func estimate(of cell: DisplayTable.Cell) -> Double? {
    if let value = cell.value { return value.isFinite ? value : nil }
    return interval(of: cell).map { ($0.low + $0.high) / 2 }
  }

  private static func interval(of cell: DisplayTable.Cell) -> (low: Double, high: Double)? {
    guard let low = cell.low, let high = cell.high, low.isFinite, high.isFinite else { return nil }
    return (low, high)
  }
}
