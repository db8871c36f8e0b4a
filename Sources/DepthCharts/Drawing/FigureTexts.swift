/// The title of a figure and the names of its axes, in as many lines as they need.
struct FigureTexts {
  private let size: FigureSize, title: [String], xLines: [String], yLines: [String]
  private static let titleLine = ChartStyle.titleSize * ChartStyle.leading
  private static let axisLine = ChartStyle.labelSize * ChartStyle.leading

  init(title: String, x: String, y: String, _ size: FigureSize, plotHeight: Double) {
    self.size = size
    let room = size.width - 2 * size.margin
    self.title = TextWidth.wrapped(title, to: room, size: ChartStyle.titleSize, isBold: true)
    xLines = TextWidth.wrapped(x, to: room - 100, size: ChartStyle.labelSize)
    yLines = TextWidth.wrapped(y, to: plotHeight + 20, size: ChartStyle.labelSize)
  }

  /// Where the area below the title may begin, in pixels.
  var top: Double { size.margin + Double(title.count) * Self.titleLine + 14 }
  /// Where the labels of the y axis may begin, in pixels.
  var left: Double { size.margin + Double(yLines.count) * Self.axisLine + 4 }
  /// Room for the name of the x axis, in pixels.
  var xHeight: Double { Double(xLines.count) * Self.axisLine + 4 }

  /// - Parameter xTop: Where the name of the x axis begins, in pixels.
  func elements(area: PlotArea, xTop: Double) -> SVGElement {
    var group = SVGElement.group("names").filled(.text)
    for (index, line) in title.enumerated() {
      group.append(
        .text(
          line, at: [size.margin, size.margin + (Double(index) + 0.5) * Self.titleLine],
          size: ChartStyle.titleSize, isBold: true))
    }
    for (index, line) in xLines.enumerated() {
      group.append(
        .text(
          line, at: [area.centre.x, xTop + 4 + (Double(index) + 0.5) * Self.axisLine], .middle,
          size: ChartStyle.labelSize))
    }
    for (index, line) in yLines.enumerated() {
      group.append(
        .text(
          line, at: [size.margin + (Double(index) + 0.5) * Self.axisLine, area.centre.y], .middle,
          size: ChartStyle.labelSize, degrees: 90))
    }
    return group
  }
}
