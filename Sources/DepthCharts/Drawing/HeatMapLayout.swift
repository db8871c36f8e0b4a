import FathomDrawingScales

/// Where the parts of a heat map lie, in pixels from the top left corner.
struct HeatMapLayout {
  let area: PlotArea, columnTicks: TickLabels
  let rowTexts: [String]  // Names of the rows; some are omitted where rows are lower than lines of text.
  let colourBar: PlotArea, texts: FigureTexts
  let valueLines: [String]  // The name of the colours, beside their bar or below it.
  let cellWidth: Double, cellHeight: Double
  private let size: FigureSize
  private static let valueLine = ChartStyle.labelSize * ChartStyle.leading
  /// Room for numbers at a bar that lies: below it, and half of one at each end.
  private static let lyingLabels = (height: 9 + ChartStyle.tickSize, overhang: 24.0)
  private static let leastHeight = 120.0  // Room for the name of the rows, which stands on its side.

  /// Few rows are as high as text needs, many share the height of a page.
  private static func cellHeight(_ rowCount: Double) -> Double {
    if rowCount > 40 { return max(2, 480 / rowCount) }
    return max(leastHeight / rowCount, min(36, max(300 / rowCount, 18)))
  }

  /// Length of a bar below the cells, in pixels.
  static func lyingBarLength(_ size: FigureSize) -> Double {
    size.width - 2 * (size.margin + lyingLabels.overhang)
  }

  init(_ map: HeatMap, _ figureSize: FigureSize, colours: AxisScale) {
    self.size = figureSize
    let size = ChartStyle.tickSize
    let rowCount = Double(max(1, map.rows.count))
    cellHeight = Self.cellHeight(rowCount)
    let height = cellHeight * rowCount
    texts = FigureTexts(title: map.title, x: map.x.label, y: map.y.label, figureSize, plotHeight: height)
    let stride = max(1, Int((1.2 * size / cellHeight).rounded(.up)))
    rowTexts = map.rows.enumerated().map { index, name in
      index.isMultiple(of: stride) ? TextWidth.shortened(name, to: figureSize.longestRowName, size: size) : ""
    }
    let nameWidth = rowTexts.map { TextWidth.of($0, size: size) }.max() ?? 0
    let tickWidth = colours.ticks.labels.map { TextWidth.of($0, size: size) }.max() ?? 0
    let isBelow = figureSize.hasColoursBelow
    valueLines = TextWidth.wrapped(
      map.value.label,
      to: isBelow ? figureSize.width - 2 * figureSize.margin : max(height, Self.leastHeight) + 20,
      size: ChartStyle.labelSize)
    let lines = Double(valueLines.count) * Self.valueLine
    let columnCount = Double(max(1, map.columns.count))
    var left = texts.left + nameWidth + 12
    let right = figureSize.width - figureSize.margin - (isBelow ? 0 : lines + 4 + tickWidth + 12 + 16 + 18)
    columnTicks = TickLabels(
      map.columns, spacing: (right - left) / columnCount, longest: figureSize.longestColumnName)
    left = max(left, figureSize.margin + columnTicks.overhang - (right - left) / columnCount / 2)
    area = PlotArea(left: left, top: texts.top, right: right, bottom: texts.top + height)
    cellWidth = area.width / columnCount
    guard !isBelow else {
      let (top, start) = (
        area.bottom + 10 + columnTicks.height + texts.xHeight + 10,
        figureSize.margin + Self.lyingLabels.overhang
      )
      colourBar = PlotArea(
        left: start, top: top, right: start + Self.lyingBarLength(figureSize), bottom: top + 14)
      return
    }
    let barHeight = min(max(height, Self.leastHeight), 320)
    let middle = (area.top + area.bottom) / 2
    let barTop = max(texts.top, middle - barHeight / 2)
    colourBar = PlotArea(left: right + 18, top: barTop, right: right + 34, bottom: barTop + barHeight)
  }

  var xTop: Double { area.bottom + 10 + columnTicks.height }  // Where the text below the cells begins.

  /// Where the legend begins.
  var legendTop: Double {
    guard size.hasColoursBelow else { return max(xTop + texts.xHeight, colourBar.bottom + 12) + 8 }
    return valuesTop + Double(valueLines.count) * Self.valueLine + 8
  }

  /// Where the name of the colours begins that stands below their bar.
  private var valuesTop: Double { colourBar.bottom + Self.lyingLabels.height + 4 }

  /// The number at a tick of the colours.
  /// - Parameter position: From 0 to 1 along the bar.
  func colourLabel(_ text: String, at position: Double) -> SVGElement {
    size.hasColoursBelow
      ? .text(text, at: [colourBar.left + position * colourBar.width, colourBar.bottom + 12], .middle)
      : .text(text, at: [colourBar.right + 9, colourBar.bottom - position * colourBar.height])
  }

  /// The name of the colours: below their bar, or at the right side, turned.
  var colourNames: [SVGElement] {
    guard !size.hasColoursBelow else {
      return valueLines.enumerated().map { index, text in
        .text(
          text, at: [colourBar.centre.x, valuesTop + (Double(index) + 0.5) * Self.valueLine], .middle,
          size: ChartStyle.labelSize)
      }
    }
    return valueLines.reversed().enumerated().map { index, text in
      .text(
        text, at: [size.width - size.margin - (Double(index) + 0.5) * Self.valueLine, colourBar.centre.y],
        .middle, size: ChartStyle.labelSize, degrees: 90)
    }
  }

  /// Whether white joints part the cells, which are large enough to lose a pixel.
  var hasJoints: Bool { min(cellWidth, cellHeight) >= 10 }

  /// The centre of a cell.
  func centre(row: Int, column: Int) -> (x: Double, y: Double) {
    (area.left + (Double(column) + 0.5) * cellWidth, area.top + (Double(row) + 0.5) * cellHeight)
  }
}
