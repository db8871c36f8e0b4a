/// A value of a series with a place on both axes.
struct SeriesPoint {
  let x: Double  // On the x axis, after moving apart what would coincide.
  let y: Double?
  /// The lower end may be zero on a logarithmic axis: it is below all that shows.
  let interval: (low: Double, high: Double)?
  var isVisible: Bool { y != nil || interval != nil }  // Whether anything is drawn.
}

extension ChartSeries {
  /// The points of the series; nil where x has no place, which is a gap.
  /// - Parameter offset: Added to every x.
  func points(x xAxis: ChartAxis, y yAxis: ChartAxis, offset: Double = 0) -> [SeriesPoint?] {
    x.indices.map { index -> SeriesPoint? in
      guard let place = xAxis.placeable(x[index]) else { return nil }
      return SeriesPoint(
        x: place + offset, y: yAxis.placeable(y[index]), interval: interval(at: index, on: yAxis))
    }
  }

  private func interval(at index: Int, on axis: ChartAxis) -> (low: Double, high: Double)? {
    guard let low = low?[index], low.isFinite, let high = axis.placeable(high?[index]) else { return nil }
    guard let placed = axis.placeable(low) ?? (axis.isLogarithmic ? 0 : nil) else { return nil }
    return (min(placed, high), max(placed, high))
  }

  /// How many values exist and have no place, as zero on a logarithmic axis.
  func displacedCount(x xAxis: ChartAxis, y yAxis: ChartAxis) -> Int {
    x.indices.count { index in
      guard let value = y[index], value.isFinite, x[index].isFinite else { return false }
      return yAxis.placeable(value) == nil || xAxis.placeable(x[index]) == nil
    }
  }
}

extension [SeriesPoint?] {
  /// The longest stretches without a gap.
  /// - Parameter isHeld: Whether the last value before a gap reaches to the x of the gap, as in a staircase.
  func runs(isHeld: Bool = false, where exists: (SeriesPoint) -> Bool) -> [[SeriesPoint]] {
    var (runs, run) = ([[SeriesPoint]](), [SeriesPoint]())
    for point in self {
      if let point, exists(point) {
        run.append(point)
      } else if let last = run.last {
        if isHeld, let point { run.append(SeriesPoint(x: point.x, y: last.y, interval: last.interval)) }
        runs.append(run)
        run = []
      }
    }
    return run.isEmpty ? runs : runs + [run]
  }
}
