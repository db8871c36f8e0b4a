/// A chart as gnuplot commands.
struct ChartDrawing {
  private let chart: Chart
  private let scales: ChartScales
  private let area: PlotArea
  private let ticks: TickLabels
  private let marks: MarkLabels
  private let texts: FigureTexts
  private let legend: Legend
  private(set) var panel: Panel

  init(_ chart: Chart) {
    self.chart = chart
    let room = ChartStyle.width - 2 * ChartStyle.margin
    texts = FigureTexts(
      title: chart.title, x: chart.x.label, y: chart.y.label, plotHeight: ChartStyle.plotHeight)
    let first = ChartScales(chart, width: room - 80)
    let labelWidth = first.y.ticks.labels.map { TextWidth.of($0, size: ChartStyle.tickSize) }.max() ?? 0
    var area = PlotArea(
      left: texts.left + labelWidth + 12, top: texts.top, right: ChartStyle.width - ChartStyle.margin,
      bottom: 0)
    // Only names turn; numbers have been chosen to fit.
    let spacing = chart.categories.map { area.width / Double(max(1, $0.count)) } ?? .infinity
    if chart.categories == nil {
      area.right -= (first.x.ticks.labels.last.map { TextWidth.of($0, size: ChartStyle.tickSize) } ?? 0) / 2
    } else {
      let overhang = TickLabels(first.x.ticks.labels, spacing: spacing).overhang
      area.left = max(area.left, ChartStyle.margin + overhang - spacing / 2)
    }
    // Again, now that the width is known: a narrower axis can have fewer ticks.
    scales = ChartScales(chart, width: area.width)
    ticks = TickLabels(scales.x.ticks.labels, spacing: spacing)
    marks = MarkLabels(
      scales.marks.map { [area, x = scales.x] in (area.left + x.position($0.x) * area.width, $0.label) },
      right: ChartStyle.width - 4)
    area.top += marks.height
    area.bottom = area.top + ChartStyle.plotHeight
    legend = Legend(Self.entries(chart, scales), width: room)
    self.area = area
    panel = Panel(
      width: ChartStyle.width,
      height: area.bottom + 10 + ticks.height + texts.xHeight + 8 + legend.height
        + (scales.displacedCount > 0 ? Legend.rowHeight : 0) + ChartStyle.margin)
    draw()
  }

  private mutating func draw() {
    panel.frame(area)
    drawAxes()
    texts.draw(in: &panel, area: area, xTop: area.bottom + 10 + ticks.height)
    marks.draw(in: &panel, area: area)
    let legendTop = area.bottom + 10 + ticks.height + texts.xHeight + 8
    legend.draw(in: &panel, left: ChartStyle.margin, top: legendTop)
    if scales.displacedCount > 0 {
      let noun = scales.displacedCount == 1 ? "value without" : "values without"
      panel.text(
        "\(scales.displacedCount) \(noun) a place on the axes left out", at: ChartStyle.margin,
        legendTop + legend.height + Legend.rowHeight / 2, size: ChartStyle.tickSize,
        colour: ChartStyle.tickColour)
    }
    let isEmpty = !scales.points.joined().contains { $0?.isVisible ?? false }
    if isEmpty {
      panel.text(
        "no data", at: (area.left + area.right) / 2, (area.top + area.bottom) / 2, .center,
        colour: ChartStyle.tickColour)
    }
    var plots = SeriesPlots(chart, scales)
    plots.draw(in: &panel)
  }

  private mutating func drawAxes() {
    let (x, y) = (scales.x, scales.y)
    panel.add("set border 3 lc rgb '\(ChartStyle.axisColour)' lw 1 back")
    panel.add("set tics out nomirror scale 0.45,0.25 textcolor rgb '\(ChartStyle.tickColour)'")
    let grid = chart.categories == nil ? "xtics ytics" : "noxtics ytics"
    panel.add("set grid \(grid) nomxtics nomytics lt 1 lc rgb '\(ChartStyle.gridColour)' lw 0.8 back")
    if !y.isLogarithmic { panel.add("set xzeroaxis lt 1 lc rgb '\(ChartStyle.axisColour)' lw 1") }
    panel.add("set clip two")
    if x.isLogarithmic { panel.add("set logscale x") }
    if y.isLogarithmic { panel.add("set logscale y") }
    panel.add("set xrange [\(x.range.lowerBound):\(x.range.upperBound)]")
    panel.add("set yrange [\(y.range.lowerBound):\(y.range.upperBound)]")
    panel.add(ticks.command("x", at: x.ticks.values))
    panel.add(TickLabels.command("y", zip(y.ticks.values, y.ticks.labels).map { ($0, $1) }))
    for (name, axis) in [("x", x), ("y", y)] where !axis.ticks.minor.isEmpty {
      panel.add("set \(name)tics add (" + axis.ticks.minor.map { "'' \($0) 1" }.joined(separator: ", ") + ")")
    }
  }

  private static func entries(_ chart: Chart, _ scales: ChartScales) -> [Legend.Entry] {
    let looks = SeriesPlots.looks(of: chart.series)
    return chart.series.indices.map { index in
      let (series, points) = (chart.series[index], scales.points[index].compactMap(\.self))
      let hasValues = points.contains(where: \.isVisible)
      return Legend.Entry(
        sample: .series(
          looks[index], series.isReference ? .line : series.style,
          hasBand: !series.isReference && points.contains { $0.interval != nil }),
        text: series.name + (hasValues ? "" : " (no data)"))
    }
  }
}
