/// A heat map as gnuplot commands.
struct HeatMapDrawing {
  private let map: HeatMap
  /// With nil where a value is missing or has no place on the scale of colours.
  private let values: [[Double?]]
  private let colours: AxisScale
  private let layout: HeatMapLayout
  private let legend: Legend
  private(set) var panel: Panel
  private var plots: [String] = []

  /// Colours of outlines; all of them stand out from viridis in a white border.
  private static let outlineColours = ["#D55E00", "#000000", "#CC79A7", "#56B4E9"]

  init(_ map: HeatMap) {
    self.map = map
    values = map.values.map { $0.map(map.value.placeable) }
    colours = Self.colourScale(map.value, values)
    layout = HeatMapLayout(map, colours: colours)
    let isMissing = values.joined().contains { $0 == nil }
    let outlines = Self.labels(of: map.marks).enumerated().map { index, label in
      Legend.Entry(sample: .outline(colour: Self.outlineColour(index)), text: label)
    }
    let missing =
      isMissing ? [Legend.Entry(sample: .missing(isStruck: layout.hasJoints), text: "no value")] : []
    legend = Legend(outlines + missing, width: ChartStyle.width - 2 * ChartStyle.margin)
    panel = Panel(width: ChartStyle.width, height: layout.legendTop + legend.height + ChartStyle.margin)
    draw()
  }

  /// The colours end at the extreme values, or where the axis says.
  private static func colourScale(_ axis: ChartAxis, _ values: [[Double?]]) -> AxisScale {
    let numbers = values.joined().compactMap(\.self)
    let extremes = numbers.min().flatMap { least in numbers.max().map { least...$0 } }
    let exact = ChartAxis(
      axis.title, unit: axis.unit, isLogarithmic: axis.isLogarithmic, range: axis.range ?? extremes)
    return AxisScale(exact, showing: [], isSnapped: false, most: 7)
  }

  private static func labels(of marks: [HeatMap.Mark]) -> [String] {
    marks.reduce(into: []) { labels, mark in
      if !labels.contains(mark.label) { labels.append(mark.label) }
    }
  }

  private static func outlineColour(_ index: Int) -> String { outlineColours[index % outlineColours.count] }

  private mutating func draw() {
    panel.frame(layout.area)
    drawAxes()
    layout.texts.draw(in: &panel, area: layout.area, xTop: layout.xTop)
    if !values.joined().isEmpty { drawColourBar() }
    legend.draw(in: &panel, left: ChartStyle.margin, top: layout.legendTop)
    let numbers = CellNumbers(
      values, isLogarithmic: colours.isLogarithmic, cellWidth: layout.cellWidth, cellHeight: layout.cellHeight
    )
    numbers.draw(in: &panel, layout: layout) { [values, colours] row, column in
      values[row][column].map(colours.position)
    }
    addCells()
    addMissing()
    addOutlines()
    if plots.isEmpty {
      let area = layout.area
      panel.text(
        "no data", at: (area.left + area.right) / 2, (area.top + area.bottom) / 2, .center,
        colour: ChartStyle.tickColour)
    }
    panel.add("plot " + (plots.isEmpty ? "NaN notitle" : plots.joined(separator: ", \\\n  ")))
  }

  private mutating func drawAxes() {
    panel.add("unset border")
    panel.add("set tics nomirror scale 0 textcolor rgb '\(ChartStyle.tickColour)'")
    panel.add("set xrange [-0.5:\(Double(max(1, map.columns.count)) - 0.5)]")
    panel.add("set yrange [\(Double(max(1, map.rows.count)) - 0.5):-0.5]")
    panel.add(layout.columnTicks.command("x", at: map.columns.indices.map(Double.init)))
    panel.add(TickLabels.command("y", layout.rowTexts.enumerated().map { (Double($0), $1) }))
  }

  private mutating func drawColourBar() {
    let (bar, width, height) = (layout.colourBar, panel.width, panel.height)
    panel.add(Viridis.palette)
    if colours.isLogarithmic { panel.add("set logscale cb") }
    panel.add("set cbrange [\(colours.range.lowerBound):\(colours.range.upperBound)]")
    panel.add(
      "set colorbox vertical user origin \(panel.screen(bar.left, bar.bottom)) size "
        + "screen \(Panel.share(bar.width, width)),\(Panel.share(bar.height, height)) noborder")
    panel.add(
      TickLabels.command(
        "cb", zip(colours.ticks.values, colours.ticks.labels).map { ($0, $1) }, words: "scale 0"))
    let size = ChartStyle.labelSize
    for (index, line) in layout.valueLines.reversed().enumerated() {
      panel.text(
        line, at: width - ChartStyle.margin - (Double(index) + 0.5) * size * ChartStyle.leading,
        (bar.top + bar.bottom) / 2, .center, degrees: 90)
    }
  }

  private mutating func add(_ rows: [[Double]], as name: String, _ columns: String, _ words: String) {
    guard !rows.isEmpty else { return }
    panel.addData(name, rows)
    plots.append("\(name) using \(columns) with \(words) notitle")
  }

  /// Centre and sides of a cell, in columns and rows.
  ///
  /// - Parameter inset: Of the sides, in pixels.
  private func cell(_ row: Int, _ column: Int, inset: Double = 0) -> [Double] {
    let (x, y) = (Double(column), Double(row))
    let dx = 0.5 - min(0.4, inset / layout.cellWidth)
    let dy = 0.5 - min(0.4, inset / layout.cellHeight)
    return [x, y, x - dx, x + dx, y - dy, y + dy]
  }

  private var border: String { layout.hasJoints ? "border lc rgb '#ffffff' lw 1" : "noborder" }

  private mutating func addCells() {
    var rows = [[Double]]()
    for (row, values) in values.enumerated() {
      for (column, value) in values.enumerated() {
        if let value { rows.append(cell(row, column) + [value]) }
      }
    }
    add(rows, as: "$cells", "1:2:3:4:5:6:7", "boxxyerror fs solid 1 \(border) fc palette")
  }

  private mutating func addMissing() {
    var (boxes, strokes) = ([[Double]](), [[Double]]())
    for (row, values) in values.enumerated() {
      for (column, value) in values.enumerated() where value == nil {
        boxes.append(cell(row, column))
        strokes.append([Double(column) - 0.5, Double(row) + 0.5, 1, -1])
      }
    }
    add(
      boxes, as: "$missing", "1:2:3:4:5:6",
      "boxxyerror fs solid 1 \(border) fc rgb '\(ChartStyle.missingColour)'")
    if layout.hasJoints {
      add(strokes, as: "$strokes", "1:2:3:4", "vectors nohead lc rgb '\(ChartStyle.axisColour)' lw 0.8")
    }
  }

  private mutating func addOutlines() {
    let labels = Self.labels(of: map.marks)
    var counts = [[Int]: Double]()
    for (index, mark) in map.marks.enumerated() {
      // Several marks of a cell lie within each other.
      let place = [mark.row, mark.column]
      let box = cell(mark.row, mark.column, inset: 2 + 4.5 * counts[place, default: 0])
      counts[place, default: 0] += 1
      let colour = Self.outlineColour(labels.firstIndex(of: mark.label) ?? 0)
      add([box], as: "$halo\(index)", "1:2:3:4:5:6", "boxxyerror lc rgb '#ffffff' lw 4.5 fs empty")
      add([box], as: "$mark\(index)", "1:2:3:4:5:6", "boxxyerror lc rgb '\(colour)' lw 2.5 fs empty")
    }
  }
}
