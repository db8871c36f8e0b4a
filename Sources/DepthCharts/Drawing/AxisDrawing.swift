import FathomDrawingScales

/// The axes of a chart: lines, ticks, labels, and the grid behind the data.
struct AxisDrawing {
  private let frame: ChartFrame, columnLabels: TickLabels, hasColumnGrid: Bool
  private var area: PlotArea { frame.area }
  private static let tickLength = 4.5, minorTickLength = 2.5

  /// - Parameter columnLabels: Below the x axis, one per tick.
  /// - Parameter hasColumnGrid: Whether the grid has upright lines.
  init(_ frame: ChartFrame, columnLabels: TickLabels, hasColumnGrid: Bool) {
    (self.frame, self.columnLabels, self.hasColumnGrid) = (frame, columnLabels, hasColumnGrid)
  }

  private var columns: [Double] { frame.x.ticks.values.map(frame.x) }
  private var rows: [Double] { frame.y.ticks.values.map(frame.y) }

  var grid: SVGElement {
    var group = SVGElement.group("grid").stroked(.grid, width: 0.8)
    if hasColumnGrid { for x in columns { group.append(.line("column", [x, area.top], [x, area.bottom])) } }
    for y in rows { group.append(.line("row", [area.left, y], [area.right, y])) }
    return group
  }

  /// Both axes. `data-low` and `data-high` say what lies at the ends.
  var lines: SVGElement {
    var group = SVGElement.group("axes")
    group.append(xAxis)
    group.append(yAxis)
    let zero = frame.y(0)
    if !frame.y.isLogarithmic, zero >= area.top, zero <= area.bottom {
      group.append(.line("zero", [area.left, zero], [area.right, zero]).stroked(.axis, width: 1))
    }
    return group
  }

  private var xAxis: SVGElement {
    var ticks = SVGElement.group("ticks").stroked(.axis, width: 1)
    ticks.append(.line("end-to-end", [area.left, area.bottom], [area.right, area.bottom]))
    for (places, length) in [
      (columns, Self.tickLength), (frame.x.ticks.minor.map(frame.x), Self.minorTickLength),
    ] { for x in places { ticks.append(.line("tick", [x, area.bottom], [x, area.bottom + length])) } }
    var labels = SVGElement.group("labels").filled(.tick)
    for label in columnLabels.elements(at: columns, top: area.bottom + 9) { labels.append(label) }
    return Self.axis("x", frame.x, ticks, labels)
  }

  private var yAxis: SVGElement {
    var ticks = SVGElement.group("ticks").stroked(.axis, width: 1)
    ticks.append(.line("end-to-end", [area.left, area.bottom], [area.left, area.top]))
    for (places, length) in [
      (rows, Self.tickLength), (frame.y.ticks.minor.map(frame.y), Self.minorTickLength),
    ] { for y in places { ticks.append(.line("tick", [area.left, y], [area.left - length, y])) } }
    var labels = SVGElement.group("labels", ["text-anchor": "end"]).filled(.tick)
    for (y, label) in zip(rows, frame.y.ticks.labels) { labels.append(.text(label, at: [area.left - 9, y])) }
    return Self.axis("y", frame.y, ticks, labels)
  }

  private static func axis(
    _ name: String, _ scale: AxisScale, _ ticks: SVGElement, _ labels: SVGElement
  ) -> SVGElement {
    var group = SVGElement.group(
      "axis",
      [
        "data-axis": name, "data-scale": scale.isLogarithmic ? "log" : "linear",
        "data-low": "\(scale.range.lowerBound)", "data-high": "\(scale.range.upperBound)",
      ])
    group.append(ticks)
    group.appendUnlessEmpty(labels)
    return group
  }
}
