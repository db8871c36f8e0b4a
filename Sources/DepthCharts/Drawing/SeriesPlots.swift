/// gnuplot's plots of the series of a chart, from the background to the foreground.
struct SeriesPlots {
  private let chart: Chart
  private let scales: ChartScales
  private let looks: [SeriesLook]
  private var plots: [String] = []

  /// Where intervals that reach zero end on a logarithmic axis, which has no zero.
  private var floor: Double { scales.y.isLogarithmic ? scales.y.range.lowerBound : -.infinity }

  init(_ chart: Chart, _ scales: ChartScales) {
    (self.chart, self.scales, looks) = (chart, scales, Self.looks(of: chart.series))
  }

  /// Every series has a look of its own; references look alike but for their dashes.
  static func looks(of series: [ChartSeries]) -> [SeriesLook] {
    var (references, others) = (0, 0)
    return series.map { series in
      if series.isReference {
        references += 1
        return ChartStyle.referenceLook(references - 1)
      }
      others += 1
      return ChartStyle.look(others - 1)
    }
  }

  mutating func draw(in panel: inout Panel) {
    let indices = chart.series.indices
    let bars = indices.filter { scales.barIndices[$0] != nil }
    let references = indices.filter { chart.series[$0].isReference }
    let others = indices.filter { !bars.contains($0) && !references.contains($0) }
    for index in bars { addBars(index, in: &panel) }
    for index in others { addBand(index, in: &panel) }
    for index in references { addLine(index, in: &panel) }
    for index in others {
      addLine(index, in: &panel)
      addWhiskers(index, places: scales.points[index], colour: looks[index].colour, in: &panel)
      addPoints(index, in: &panel)
    }
    panel.add("plot " + (plots.isEmpty ? "NaN notitle" : plots.joined(separator: ", \\\n  ")))
  }

  private mutating func add(
    _ rows: [[Double]], as name: String, _ columns: String, _ words: String, in panel: inout Panel
  ) {
    guard !rows.isEmpty else { return }
    panel.addData(name, rows)
    plots.append("\(name) using \(columns) with \(words) notitle")
  }

  private mutating func addBars(_ index: Int, in panel: inout Panel) {
    guard let bar = scales.barIndices[index] else { return }
    let base = scales.y.isLogarithmic ? scales.y.range.lowerBound : 0
    let points = scales.points[index].compactMap(\.self)
    let rows = points.compactMap { point in
      point.y.map { y in
        let sides = scales.bars.sides(of: point.x, series: bar)
        return [(sides.left + sides.right) / 2, y, sides.left, sides.right, min(base, y), max(base, y)]
      }
    }
    add(
      rows, as: "$bars\(index)", "1:2:3:4:5:6",
      "boxxyerror fs solid 1 border lc rgb '#ffffff' fc rgb '\(looks[index].colour)'", in: &panel)
    let middles = points.map { point in
      let sides = scales.bars.sides(of: point.x, series: bar)
      return SeriesPoint(x: (sides.left + sides.right) / 2, y: point.y, interval: point.interval)
    }
    addWhiskers(index, places: middles, colour: ChartStyle.textColour, in: &panel)
  }

  private mutating func addBand(_ index: Int, in panel: inout Panel) {
    let series = chart.series[index]
    guard series.style != .points else { return }
    let isHeld = series.style == .steps
    let runs = scales.points[index].runs(isHeld: isHeld) { $0.interval != nil }.map { run in
      run.compactMap { point in point.interval.map { [point.x, max($0.low, floor), $0.high] } }
    }
    add(
      Self.separated(runs.filter { $0.count > 1 }.map { isHeld ? Self.staircase($0) : $0 }),
      as: "$band\(index)", "1:2:3",
      "filledcurves lc rgb '\(looks[index].colour)' fs transparent solid 0.18 noborder", in: &panel)
    // Alone between gaps, an interval makes no band.
    add(
      runs.filter { $0.count == 1 }.flatMap(\.self), as: "$interval\(index)", "1:2:(0):($3-$2)",
      "vectors nohead lc rgb '\(looks[index].colour)' lw 1.3", in: &panel)
  }

  private mutating func addLine(_ index: Int, in panel: inout Panel) {
    let series = chart.series[index]
    guard series.isReference || [.line, .linePoints, .steps].contains(series.style) else { return }
    let runs = scales.points[index].runs(isHeld: series.style == .steps) { $0.y != nil }.map { run in
      run.compactMap { point in point.y.map { [point.x, $0] } }
    }
    add(
      Self.separated(runs.filter { $0.count > 1 }), as: "$line\(index)", "1:2",
      "\(series.style == .steps ? "steps" : "lines") \(looks[index].line)", in: &panel)
    // Alone between gaps, a value makes no line.
    if series.style != .linePoints || series.isReference {
      add(
        runs.filter { $0.count == 1 }.flatMap(\.self), as: "$alone\(index)", "1:2",
        "points \(looks[index].points(scale: 0.6))", in: &panel)
    }
  }

  private mutating func addWhiskers(
    _ index: Int, places: [SeriesPoint?], colour: String, in panel: inout Panel
  ) {
    guard [.points, .bars].contains(chart.series[index].style) else { return }
    let rows = places.compactMap(\.self).compactMap { point in
      point.interval.map { [point.x, max($0.low, floor), $0.high] }
    }
    add(
      rows, as: "$whiskers\(index)", "1:2:(0):($3-$2)", "vectors nohead lc rgb '\(colour)' lw 1.3",
      in: &panel)
  }

  private mutating func addPoints(_ index: Int, in panel: inout Panel) {
    guard [.linePoints, .points].contains(chart.series[index].style) else { return }
    let rows = scales.points[index].compactMap(\.self).compactMap { point in point.y.map { [point.x, $0] } }
    let scale = rows.count > 400 ? 0.45 : rows.count > 80 ? 0.7 : 1
    add(rows, as: "$points\(index)", "1:2", "points \(looks[index].points(scale: scale))", in: &panel)
  }

  /// Every corner holds until the next x.
  private static func staircase(_ corners: [[Double]]) -> [[Double]] {
    corners.indices.flatMap { index -> [[Double]] in
      guard index > 0 else { return [corners[index]] }
      return [[corners[index][0]] + corners[index - 1].dropFirst(), corners[index]]
    }
  }

  /// An empty row breaks a line.
  private static func separated(_ runs: [[[Double]]]) -> [[Double]] { Array(runs.joined(separator: [[]])) }
}
