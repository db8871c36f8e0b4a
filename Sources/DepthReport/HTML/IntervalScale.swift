import Foundation

/// The common axis of a column's interval bars.
struct IntervalScale: Sendable, Equatable {
  /// Ends of the axis: the lowest and the highest of the column's values and interval ends.
  let low: Double, high: Double
  /// Whether equal distances are equal ratios: one method that is ten times worse leaves no room for the others.
  let isLogarithmic: Bool

  /// nil where fewer than two cells have an interval: a bar alone compares nothing.
  init?(_ cells: [DisplayTable.Cell]) {
    let intervals = cells.filter { Self.interval(of: $0) != nil }
    guard intervals.count >= 2 else { return nil }
    let numbers = cells.flatMap { [$0.value, $0.low, $0.high] }.compactMap { $0 }.filter(\.isFinite)
    guard let low = numbers.min(), let high = numbers.max(), low < high else { return nil }
    (self.low, self.high) = (low, high)
    isLogarithmic = low > 0 && high / low >= 10
  }

  /// Where a number is on the axis, 0 to 1.
  func share(of number: Double) -> Double {
    isLogarithmic ? log(number / low) / log(high / low) : (number - low) / (high - low)
  }

  /// A whisker with a dot, drawn in shares of the cell's width; for the eye only, the cell has the numbers.
  func bar(for cell: DisplayTable.Cell) -> String {
    var marks = ""
    if !isLogarithmic, low < 0, high > 0 {
      let zero = position(0)
      marks += #"<line class="zero" x1="\#(zero)" x2="\#(zero)" y1="0" y2="100%"/>"#
    }
    if let (low, high) = Self.interval(of: cell) {
      marks += #"<line x1="\#(position(low))" x2="\#(position(high))" y1="50%" y2="50%"/>"#
    }
    if let value = cell.value, value.isFinite {
      marks += #"<circle cx="\#(position(value))" cy="50%" r="3.25"/>"#
    }
    return #"<svg class="bar" aria-hidden="true">\#(marks)</svg>"#
  }

  /// The ends below a column's name.
  var axis: String {
    let ends = [low, high].map { htmlEscaped(Rounded.number($0, digits: 2)) }
    let kind = isLogarithmic ? #"<span class="scale">log</span>"# : ""
    return #"<span class="axis" aria-hidden="true"><span>\#(ends[0])</span>\#(kind)<span>\#(ends[1])</span></span>"#
  }

  /// "12.5%", with room for a dot at both ends.
  private func position(_ number: Double) -> String {
    let tenths = Int((30 + share(of: number) * 940).rounded())
    return "\(tenths / 10).\(tenths % 10)%"
  }

  private static func interval(of cell: DisplayTable.Cell) -> (low: Double, high: Double)? {
    guard let low = cell.low, let high = cell.high, low.isFinite, high.isFinite else { return nil }
    return (low, high)
  }
}
