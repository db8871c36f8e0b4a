/// The points of a chart and the axes that hold them.
struct ChartScales {
  let points: [[SeriesPoint?]]  // Per series.
  let x: AxisScale, y: AxisScale
  let marks: [ChartMark]  // Those with a place on the x axis.
  let displacedCount: Int  // Values and marks that exist and have no place.

  /// - Parameter width: Of the area between the axes, in pixels; labels of ticks stay apart in it.
  init(_ chart: Chart, width: Double) {
    points = Self.points(of: chart)
    marks = chart.marks.filter { mark in
      chart.x.placeable(mark.x) != nil
        && chart.categories.map { AxisScale(categories: $0).range.contains(mark.x) } ?? true
    }
    displacedCount = chart.series.map { $0.displacedCount(x: chart.x, y: chart.y) }
      .reduce(chart.marks.count - marks.count, +)
    let visible = points.joined().compactMap(\.self)
    let heights = visible.flatMap { [$0.y, $0.interval?.low, $0.interval?.high] }.compactMap(
      chart.y.placeable)
    y = AxisScale(chart.y, showing: heights, isSnapped: true, most: 7)
    let places = visible.filter(\.isVisible).map(\.x)
    x =
      chart.categories.map { AxisScale(categories: $0) }
      ?? AxisScale(fitted: chart.x, showing: places, marks: marks.map(\.x), width: width)
  }

  /// Points of several series at the same category stand side by side.
  private static func points(of chart: Chart) -> [[SeriesPoint?]] {
    var moved = 0
    let indices = chart.series.map { series -> Int? in
      guard chart.categories != nil, series.style == .points, !series.isReference else { return nil }
      defer { moved += 1 }
      return moved
    }
    let count = Double(moved)
    // Series that have no category in common need no place beside each other.
    let places = zip(chart.series, indices).filter { $1 != nil }.map { Set($0.0.x) }
    let areApart = places.reduce(0) { $0 + $1.count } == places.reduce(into: Set()) { $0.formUnion($1) }.count
    let distance = areApart ? 0 : min(0.14, 0.7 / max(1, count))
    return zip(chart.series, indices).map { series, index in
      series.points(
        x: chart.x, y: chart.y, offset: index.map { (Double($0) - (count - 1) / 2) * distance } ?? 0)
    }
  }
}
