import FathomDrawingScales

/// A chart as an SVG document.
struct ChartDrawing {
  private let chart: Chart, size: FigureSize, scales: ChartScales, area: PlotArea
  private let ticks: TickLabels, marks: MarkLabels, texts: FigureTexts, legend: Legend
  private(set) var content: [SVGElement] = []

  init(_ chart: Chart, _ size: FigureSize) {
    (self.chart, self.size) = (chart, size)
    let room = size.width - 2 * size.margin
    texts = FigureTexts(
      title: chart.title, x: chart.x.label, y: chart.y.label, size, plotHeight: size.plotHeight)
    let first = ChartScales(chart, width: room - 80)
    let labelWidth = first.y.ticks.labels.map { TextWidth.of($0, size: ChartStyle.tickSize) }.max() ?? 0
    var area = PlotArea(
      left: texts.left + labelWidth + 12, top: texts.top, right: size.width - size.margin, bottom: 0)
    // Only names turn; numbers have been chosen to fit.
    let spacing = chart.categories.map { area.width / Double(max(1, $0.count)) } ?? .infinity
    if chart.categories == nil {
      area.right -= (first.x.ticks.labels.last.map { TextWidth.of($0, size: ChartStyle.tickSize) } ?? 0) / 2
    } else {
      let overhang = TickLabels(first.x.ticks.labels, spacing: spacing, longest: size.longestColumnName)
        .overhang
      area.left = max(area.left, size.margin + overhang - spacing / 2)
    }
    // Again, now that the width is known: a narrower axis can have fewer ticks.
    scales = ChartScales(chart, width: area.width)
    ticks = TickLabels(scales.x.ticks.labels, spacing: spacing, longest: size.longestColumnName)
    marks = MarkLabels(
      scales.marks.map { [area, x = scales.x] in (area.left + x.position($0.x) * area.width, $0.label) },
      right: size.width - 4, longest: size.longestFlag)
    area.top += marks.height
    area.bottom = area.top + size.plotHeight
    legend = Legend(Self.entries(chart, scales), width: room)
    self.area = area
    draw()
  }

  var document: SVGDocument {
    SVGDocument(.chart(chart), size, height: height.rounded(.up), content: content)
  }

  /// Where the name of the x axis begins.
  private var xTop: Double { shadeTop + (chart.shade == nil ? 0 : ShadeDrawing.height + 6) }
  private var shadeTop: Double { area.bottom + 10 + ticks.height }
  private var legendTop: Double { xTop + texts.xHeight + 8 }
  private var height: Double {
    legendTop + legend.height + (scales.displacedCount > 0 ? Legend.rowHeight : 0) + size.margin
  }

  private mutating func draw() {
    let frame = ChartFrame(area: area, x: scales.x, y: scales.y)
    let axes = AxisDrawing(frame, columnLabels: ticks, hasColumnGrid: chart.categories == nil)
    content = [axes.grid, marks.elements(area: area), axes.lines]
    content += SeriesDrawing(chart, scales, frame).elements
    if let shade = chart.shade { content.append(ShadeDrawing(shade, frame).element(top: shadeTop)) }
    content += [
      texts.elements(area: area, xTop: xTop), legend.elements(left: size.margin, top: legendTop),
    ]
    if scales.displacedCount > 0 {
      let noun = scales.displacedCount == 1 ? "value without" : "values without"
      content.append(
        .text(
          "\(scales.displacedCount) \(noun) a position on the axes not shown",
          at: [size.margin, legendTop + legend.height + Legend.rowHeight / 2]
        ).filled(.tick))
    }
    if !scales.points.joined().contains(where: { $0?.isVisible ?? false }) {
      content.append(.text("no data", at: area.centre, .middle, size: ChartStyle.labelSize).filled(.tick))
    }
  }

  private static func entries(_ chart: Chart, _ scales: ChartScales) -> [Legend.Entry] {
    let looks = ChartStyle.looks(of: chart.series)
    return chart.series.indices.map { index in
      let (series, points) = (chart.series[index], scales.points[index].compactMap(\.self))
      let hasValues = points.contains(where: \.isVisible)
      return Legend.Entry(
        sample: .series(
          looks[index], series.isReference ? .line : series.style,
          hasBand: !series.isReference && points.contains { $0.interval != nil }),
        text: series.name + (hasValues ? "" : " (no data)"))
    } + (chart.shade.map { [Legend.Entry(sample: .shade, text: $0.name)] } ?? [])
  }
}
