/// The points of a chart and the axes that hold them.
struct ChartScales {
  let points: [[SeriesPoint?]]  // Per series.
  let bars: BarLayout
  let barIndices: [Int?]  // Per series: its place among those with bars; nil without bars.
  let x: AxisScale, y: AxisScale
  let marks: [ChartMark]  // Those with a place on the x axis.
  let displacedCount: Int  // Values and marks that exist and have no place.

  /// - Parameter width: Of the area between the axes, in pixels; labels of ticks stay apart in it.
  init(_ chart: Chart, width: Double) {
    points = Self.points(of: chart)
    bars = BarLayout(chart)
    barIndices = Self.places(in: chart.series) { $0.style == .bars }
    marks = chart.marks.filter { mark in
      chart.x.placeable(mark.x) != nil
        && chart.categories.map { AxisScale(categories: $0).range.contains(mark.x) } ?? true
    }
    displacedCount = chart.series.map { $0.displacedCount(x: chart.x, y: chart.y) }
      .reduce(chart.marks.count - marks.count, +)
    let visible = points.joined().compactMap(\.self)
    var heights = visible.flatMap { [$0.y, $0.interval?.low, $0.interval?.high] }.compactMap(
      chart.y.placeable)
    if barIndices.contains(where: { $0 != nil }), !chart.y.isLogarithmic { heights.append(0) }
    y = AxisScale(chart.y, showing: heights, isSnapped: true, most: 7)
    if let categories = chart.categories {
      x = AxisScale(categories: categories)
    } else {
      var places = visible.filter(\.isVisible).map(\.x)
      for case (let points, let index?) in zip(points, barIndices) {
        places += points.compactMap(\.self).map { [bars] in bars.sides(of: $0.x, series: index) }
          .flatMap { [$0.left, $0.right] }
      }
      x = AxisScale(fitted: chart.x, showing: places, marks: marks.map(\.x), width: width)
    }
  }

  /// Points of several series at the same category stand side by side.
  private static func points(of chart: Chart) -> [[SeriesPoint?]] {
    let isMoved = { (series: ChartSeries) in chart.categories != nil && series.style == .points }
    let indices = places(in: chart.series, where: isMoved)
    let count = Double(indices.compactMap(\.self).count)
    // Series that have no category in common need no place beside each other.
    let places = zip(chart.series, indices).filter { $1 != nil }.map { Set($0.0.x) }
    let areApart = places.reduce(0) { $0 + $1.count } == places.reduce(into: Set()) { $0.formUnion($1) }.count
    let distance = areApart ? 0 : min(0.14, 0.7 / max(1, count))
    return zip(chart.series, indices).map { series, index in
      series.points(
        x: chart.x, y: chart.y, offset: index.map { (Double($0) - (count - 1) / 2) * distance } ?? 0)
    }
  }

  private static func places(in series: [ChartSeries], where belongs: (ChartSeries) -> Bool) -> [Int?] {
    var count = 0
    return series.map { series in
      guard !series.isReference, belongs(series) else { return nil }
      defer { count += 1 }
      return count
    }
  }
}
