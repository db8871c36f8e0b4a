import FathomDrawingScales
internal import Foundation

/// Where values lie along an axis: its range and its ticks.
struct AxisScale: Equatable {
  let range: ClosedRange<Double>, ticks: AxisTicks, isLogarithmic: Bool

  /// - Parameter values: What must be visible; only values that the axis can place.
  /// - Parameter isSnapped: Whether a range from the data ends at ticks, as that of y does; otherwise it ends a
  ///   little beyond the data.
  /// - Parameter most: Most ticks; at least 2.
  init(_ axis: ChartAxis, showing values: [Double], marks: [Double] = [], isSnapped: Bool, most: Int) {
    isLogarithmic = axis.isLogarithmic
    var range = axis.range ?? Self.automatic(values + marks, isLogarithmic, isSnapped: isSnapped, most: most)
    if let least = marks.min(), let greatest = marks.max() {
      range = min(range.lowerBound, least)...max(range.upperBound, greatest)
    }
    range = Self.separated(range, isLogarithmic)
    self.range = range
    ticks =
      isLogarithmic ? AxisTicks.logarithmic(in: range, most: most) : AxisTicks.linear(in: range, most: most)
  }

  /// The scale of a horizontal axis, with as many ticks as have room for their labels.
  /// - Parameter width: Of the axis, in pixels.
  init(
    fitted axis: ChartAxis, showing values: [Double] = [], marks: [Double] = [], width: Double, most: Int = 9
  ) {
    self.init(axis, showing: values, marks: marks, isSnapped: false, most: most)
    if most > 2, !hasRoom(for: ticks, width: width) {
      self.init(fitted: axis, showing: values, marks: marks, width: width, most: most - 1)
    }
  }

  private func hasRoom(for ticks: AxisTicks, width: Double) -> Bool {
    let places = ticks.values.map { position($0) * width }
    let halves = ticks.labels.map { TextWidth.of($0, size: ChartStyle.tickSize) / 2 }
    return places.indices.dropFirst().allSatisfy { index in
      places[index] - places[index - 1] > halves[index] + halves[index - 1] + ChartStyle.tickSize
    }
  }

  /// Places named at 0, 1, 2….
  init(categories: [String]) {
    range = -0.5...(Double(max(1, categories.count)) - 0.5)
    ticks = AxisTicks(values: categories.indices.map(Double.init), labels: categories)
    isLogarithmic = false
  }

  /// 0 at the lower end of the range, 1 at the upper.
  func position(_ value: Double) -> Double {
    isLogarithmic
      ? (log(value) - log(range.lowerBound)) / (log(range.upperBound) - log(range.lowerBound))
      : (value - range.lowerBound) / (range.upperBound - range.lowerBound)
  }

  private static func automatic(
    _ values: [Double], _ isLogarithmic: Bool, isSnapped: Bool, most: Int
  ) -> ClosedRange<Double> {
    guard let least = values.min(), let greatest = values.max() else { return isLogarithmic ? 1...10 : 0...1 }
    let tight = separated(least...greatest, isLogarithmic)
    guard isLogarithmic else { return isSnapped ? snapped(tight, most: most) : padded(tight) }
    let padding = exp(0.03 * (log(tight.upperBound) - log(tight.lowerBound)))
    return max(tight.lowerBound / padding, 1e-304)...min(tight.upperBound * padding, 1e304)
  }

  /// From tick to tick; from or to zero where that is near.
  private static func snapped(_ range: ClosedRange<Double>, most: Int) -> ClosedRange<Double> {
    var (low, high) = (range.lowerBound, range.upperBound)
    if low > 0, low < 0.3 * high { low = 0 }
    if high < 0, high > 0.3 * low { high = 0 }
    // A range that has grown to the next ticks can need a larger step.
    var step = AxisTicks.step(in: low...high, most: most)
    while true {
      let grown = (low / step + 1e-9).rounded(.down) * step...(high / step - 1e-9).rounded(.up) * step
      let needed = AxisTicks.step(in: grown, most: most)
      if needed <= step { return grown }
      step = needed
    }
  }

  private static func padded(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
    let padding = 0.03 * (range.upperBound - range.lowerBound)
    return range.lowerBound - padding...range.upperBound + padding
  }

  /// A range with an extent that ticks can divide.
  private static func separated(_ range: ClosedRange<Double>, _ isLogarithmic: Bool) -> ClosedRange<Double> {
    let (low, high) = (range.lowerBound, range.upperBound)
    if isLogarithmic { return high / low > 1 + 1e-6 ? range : low / 2...high * 2 }
    let magnitude = max(abs(low), abs(high))
    if high - low > 1e-9 * magnitude, magnitude >= 1e-300 { return range }
    return magnitude < 1e-300 ? -1...1 : low - 0.1 * magnitude...high + 0.1 * magnitude
  }
}
