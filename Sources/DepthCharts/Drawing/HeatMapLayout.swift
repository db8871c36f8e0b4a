import DrawingScales

/// Where the parts of a heat map lie, in pixels from the top left corner.
struct HeatMapLayout {
  let area: PlotArea
  let columnTicks: TickLabels
  /// Names of the rows; some are left out where rows are lower than lines of text.
  let rowTexts: [String]
  let colourBar: PlotArea
  let texts: FigureTexts
  /// The name of the colours, beside their bar.
  let valueLines: [String]
  let cellWidth: Double
  let cellHeight: Double

  private static let longestRowName = 190.0
  /// Room for the name of the rows, which stands on its side.
  private static let leastHeight = 120.0

  /// Few rows are as high as text needs, many share the height of a page.
  private static func cellHeight(_ rowCount: Double) -> Double {
    if rowCount > 40 { return max(2, 480 / rowCount) }
    return max(leastHeight / rowCount, min(36, max(300 / rowCount, 18)))
  }

  init(_ map: HeatMap, colours: AxisScale) {
    let size = ChartStyle.tickSize
    let rowCount = Double(max(1, map.rows.count))
    cellHeight = Self.cellHeight(rowCount)
    let height = cellHeight * rowCount
    texts = FigureTexts(title: map.title, x: map.x.label, y: map.y.label, plotHeight: height)
    let stride = max(1, Int((1.2 * size / cellHeight).rounded(.up)))
    rowTexts = map.rows.enumerated().map { index, name in
      index.isMultiple(of: stride) ? TextWidth.shortened(name, to: Self.longestRowName, size: size) : ""
    }
    let nameWidth = rowTexts.map { TextWidth.of($0, size: size) }.max() ?? 0
    let tickWidth = colours.ticks.labels.map { TextWidth.of($0, size: size) }.max() ?? 0
    valueLines = TextWidth.wrapped(
      map.value.label, to: max(height, Self.leastHeight) + 20, size: ChartStyle.labelSize)
    let lines = Double(valueLines.count) * ChartStyle.labelSize * ChartStyle.leading
    let columnCount = Double(max(1, map.columns.count))
    var left = texts.left + nameWidth + 12
    let right = ChartStyle.width - ChartStyle.margin - lines - 4 - tickWidth - 12 - 16 - 18
    columnTicks = TickLabels(map.columns, spacing: (right - left) / columnCount)
    left = max(left, ChartStyle.margin + columnTicks.overhang - (right - left) / columnCount / 2)
    area = PlotArea(left: left, top: texts.top, right: right, bottom: texts.top + height)
    cellWidth = area.width / columnCount
    let barHeight = min(max(height, Self.leastHeight), 320)
    let middle = (area.top + area.bottom) / 2
    let barTop = max(texts.top, middle - barHeight / 2)
    colourBar = PlotArea(left: right + 18, top: barTop, right: right + 34, bottom: barTop + barHeight)
  }

  /// Where the text below the cells begins.
  var xTop: Double { area.bottom + 10 + columnTicks.height }

  /// Where the legend begins.
  var legendTop: Double { max(xTop + texts.xHeight, colourBar.bottom + 12) + 8 }

  /// Whether white joints part the cells, which are large enough to lose a pixel.
  var hasJoints: Bool { min(cellWidth, cellHeight) >= 10 }

  /// The centre of a cell.
  func centre(row: Int, column: Int) -> (x: Double, y: Double) {
    (area.left + (Double(column) + 0.5) * cellWidth, area.top + (Double(row) + 0.5) * cellHeight)
  }
}
