/// The series of a chart, from the background to the foreground.
struct SeriesDrawing {
  private let chart: Chart, scales: ChartScales, frame: ChartFrame, looks: [SeriesLook]
  /// Where intervals that reach zero end on a logarithmic axis, which has no zero.
  private var floor: Double { scales.y.isLogarithmic ? scales.y.range.lowerBound : -.infinity }

  init(_ chart: Chart, _ scales: ChartScales, _ frame: ChartFrame) {
    (self.chart, self.scales, self.frame) = (chart, scales, frame)
    looks = ChartStyle.looks(of: chart.series)
  }

  /// Groups "series", each named by `data-series`: bands, then references, then everything else.
  var elements: [SVGElement] {
    let indices = chart.series.indices
    let references = indices.filter { chart.series[$0].isReference }
    let others = indices.filter { !chart.series[$0].isReference }
    let layers =
      others.map { group($0, "bands", band($0)) } + references.map { group($0, "reference", line($0)) }
      + others.map { index in
        group(index, "values", line(index) + whiskers(index) + points(index))
      }
    return layers.filter { !$0.children.isEmpty }
  }

  private func group(_ index: Int, _ layer: String, _ elements: [SVGElement]) -> SVGElement {
    var group = SVGElement.group("series", ["data-series": chart.series[index].name, "data-layer": layer])
    for element in elements { group.append(element) }
    return group
  }

  /// An interval of a point, in pixels.
  private func ends(_ point: SeriesPoint) -> (low: SIMD2<Double>, high: SIMD2<Double>)? {
    point.interval.map { (frame.point(point.x, max($0.low, floor)), frame.point(point.x, $0.high)) }
  }

  private func band(_ index: Int) -> [SVGElement] {
    let series = chart.series[index]
    guard series.style != .points else { return [] }
    let isHeld = series.style == .steps
    let runs = scales.points[index].runs(isHeld: isHeld) { $0.interval != nil }.map { $0.compactMap(ends) }
    let areas = runs.filter { $0.count > 1 }.map { run in
      let (low, high) = (run.map(\.low), run.map(\.high))
      return frame.area.clipped(
        polygon: isHeld ? Self.staircase(high) + Self.staircase(low).reversed() : high + low.reversed())
    }.filter { !$0.isEmpty }
    // Alone between gaps, an interval makes no band.
    let alone = runs.filter { $0.count == 1 }.joined().flatMap { whisker($0, looks[index]) }
    guard !areas.isEmpty else { return alone }
    let data = areas.map { SVGNumber.path($0, isClosed: true) }.joined()
    var band = SVGElement("path", class: "band", ["d": data, "fill-opacity": ChartStyle.bandOpacity])
    band.fill(looks[index].colour)
    return [band] + alone
  }

  private func line(_ index: Int) -> [SVGElement] {
    let series = chart.series[index]
    guard series.isReference || [.line, .linePoints, .steps].contains(series.style) else { return [] }
    let runs = scales.points[index].runs(isHeld: series.style == .steps) { $0.y != nil }.map { run in
      run.compactMap { point in point.y.map { frame.point(point.x, $0) } }
    }
    let pieces = runs.filter { $0.count > 1 }.flatMap { run in
      frame.area.clipped(line: series.style == .steps ? Self.staircase(run) : run)
    }
    let lines = pieces.map { looks[index].line("line", $0) }
    // Alone between gaps, a value makes no line.
    if series.style == .linePoints, !series.isReference { return lines }
    return lines + marks(runs.filter { $0.count == 1 }.flatMap(\.self), looks[index], scale: 0.6)
  }

  private func whiskers(_ index: Int) -> [SVGElement] {
    guard chart.series[index].style == .points else { return [] }
    return scales.points[index].compactMap(\.self).compactMap(ends).flatMap { whisker($0, looks[index]) }
  }

  private func whisker(_ ends: (low: SIMD2<Double>, high: SIMD2<Double>), _ look: SeriesLook) -> [SVGElement]
  {
    frame.area.clipped(line: [ends.high, ends.low]).map { piece in
      look.whisker(x: piece[0].x, from: piece[0].y, to: piece[1].y)
    }
  }

  private func points(_ index: Int) -> [SVGElement] {
    guard [.linePoints, .points].contains(chart.series[index].style) else { return [] }
    let places = scales.points[index].enumerated().compactMap { position, point in
      point.flatMap { point in point.y.map { (frame.point(point.x, $0), position) } }
    }
    let scale = places.count > 400 ? 0.45 : places.count > 80 ? 0.7 : 1
    guard let targets = chart.series[index].targets else {
      return marks(places.map(\.0), looks[index], scale: scale)
    }
    var group = SVGElement.group("points").filled(looks[index].colour)
    for (place, position) in places where frame.area.contains(place) {
      let mark = looks[index].shape.element(at: place, scale: scale)
      group.append(targets[position].map { Self.link(to: $0, mark) } ?? mark)
    }
    return group.children.isEmpty ? [] : [group]
  }

  /// A mark that leads to a place of the page. The Tab key skips it: hundreds of them would be; tables have the same links.
  private static func link(to target: ChartTarget, _ mark: SVGElement) -> SVGElement {
    var link = SVGElement("a", ["href": "\(ChartTarget.page)#\(target.anchor)", "tabindex": "-1"])
    link.append(SVGElement("title", text: target.label))
    link.append(mark)
    return link
  }

  private func marks(_ places: [SIMD2<Double>], _ look: SeriesLook, scale: Double) -> [SVGElement] {
    let visible = places.filter(frame.area.contains)
    guard !visible.isEmpty else { return [] }
    var group = SVGElement.group("points").filled(look.colour)
    for place in visible { group.append(look.shape.element(at: place, scale: scale)) }
    return [group]
  }

  /// Every corner holds until the next x.
  private static func staircase(_ corners: [SIMD2<Double>]) -> [SIMD2<Double>] {
    corners.indices.flatMap { index -> [SIMD2<Double>] in
      guard index > 0 else { return [corners[index]] }
      return [[corners[index].x, corners[index - 1].y], corners[index]]
    }
  }
}
