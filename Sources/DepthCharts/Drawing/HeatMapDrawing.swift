import DepthCore
import FathomDrawingScales

/// A heat map as an SVG document.
struct HeatMapDrawing {
  private let map: HeatMap, size: FigureSize
  /// With nil where a value is missing or has no place on the scale of colours.
  private let values: [[Double?]]
  private let colours: AxisScale, layout: HeatMapLayout, legend: Legend
  private let ground = ColourMap.viridis
  /// Colours of outlines; all of them stand out from viridis in a white border.
  private static let outlineColours = ["#D55E00", "#000000", "#CC79A7", "#56B4E9"].map(ChartColour.fixed)

  init(_ map: HeatMap, _ size: FigureSize) {
    (self.map, self.size) = (map, size)
    values = map.values.map { $0.map(map.value.placeable) }
    colours = Self.colourScale(map.value, values, size)
    layout = HeatMapLayout(map, size, colours: colours)
    let isMissing = values.joined().contains { $0 == nil }
    let outlines = Self.labels(of: map.marks).enumerated().map { index, label in
      Legend.Entry(sample: .outline(colour: Self.outlineColour(index)), text: label)
    }
    let missing =
      isMissing ? [Legend.Entry(sample: .missing(isStruck: layout.hasJoints), text: "no value")] : []
    legend = Legend(outlines + missing, width: size.width - 2 * size.margin)
  }

  /// The colours end at the extreme values, or where the axis says.
  private static func colourScale(_ axis: ChartAxis, _ values: [[Double?]], _ size: FigureSize) -> AxisScale {
    let numbers = values.joined().compactMap(\.self)
    let extremes = numbers.min().flatMap { least in numbers.max().map { least...$0 } }
    let exact = ChartAxis(
      axis.title, unit: axis.unit, isLogarithmic: axis.isLogarithmic, range: axis.range ?? extremes)
    return size.hasColoursBelow
      ? AxisScale(fitted: exact, width: HeatMapLayout.lyingBarLength(size), most: 7)
      : AxisScale(exact, showing: [], isSnapped: false, most: 7)
  }

  private static func labels(of marks: [HeatMap.Mark]) -> [String] {
    marks.reduce(into: []) { labels, mark in if !labels.contains(mark.label) { labels.append(mark.label) } }
  }

  private static func outlineColour(_ index: Int) -> ChartColour {
    outlineColours[index % outlineColours.count]
  }

  var document: SVGDocument {
    SVGDocument(
      .heatMap(map), size, height: (layout.legendTop + legend.height + size.margin).rounded(.up),
      content: content)
  }

  private var content: [SVGElement] {
    let numbers = CellNumbers(
      values, isLogarithmic: colours.isLogarithmic, cellWidth: layout.cellWidth, cellHeight: layout.cellHeight
    )
    let isEmpty = values.joined().isEmpty
    var content = [labels("x"), labels("y"), cells]
    content += isEmpty ? [] : [strokes, numbers.elements(layout: layout, colour: colour), outlines]
    content = content.filter { !$0.children.isEmpty }
    content += isEmpty ? [] : [colourBar]
    content += [
      layout.texts.elements(area: layout.area, xTop: layout.xTop),
      legend.elements(left: size.margin, top: layout.legendTop),
    ]
    if isEmpty {
      content.append(
        .text("no data", at: layout.area.centre, .middle, size: ChartStyle.labelSize).filled(.tick))
    }
    return content
  }

  private func colour(row: Int, column: Int) -> RGB? {
    values[row][column].flatMap { ground.colour(at: colours.position($0)) }
  }

  /// Names of the columns, or of the rows.
  private func labels(_ axis: String) -> SVGElement {
    let (area, isColumns) = (layout.area, axis == "x")
    var group = SVGElement.group("labels", ["data-axis": axis]).filled(.tick)
    if isColumns {
      let places = map.columns.indices.map { layout.centre(row: 0, column: $0).x }
      for label in layout.columnTicks.elements(at: places, top: area.bottom + 9) { group.append(label) }
    } else {
      for (row, text) in layout.rowTexts.enumerated() where !text.isEmpty {
        group.append(.text(text, at: [area.left - 9, layout.centre(row: row, column: 0).y], .end))
      }
    }
    return group
  }

  /// Sides of a cell.
  /// - Parameter inset: Of the sides, in pixels.
  private func box(_ word: String? = nil, _ row: Int, _ column: Int, inset: Double = 0) -> SVGElement {
    let (x, y) = layout.centre(row: row, column: column)
    let half = (
      x: layout.cellWidth * (0.5 - min(0.4, inset / layout.cellWidth)),
      y: layout.cellHeight * (0.5 - min(0.4, inset / layout.cellHeight))
    )
    return .box(word, x - half.x, y - half.y, x + half.x, y + half.y)
  }

  /// Every cell, row by row.
  private var cells: SVGElement {
    var group = SVGElement.group(
      "cells", ["data-columns": "\(map.columns.count)", "data-rows": "\(map.rows.count)"])
    if layout.hasJoints {
      group.stroke(.paper, width: 1)
    } else {
      // Without joints nothing may show between cells.
      group.set("shape-rendering", "crispEdges")
    }
    for row in values.indices {
      for column in values[row].indices {
        let colour = colour(row: row, column: column)
        group.append(
          box(colour == nil ? "missing" : nil, row, column).filled(
            colour.map { .fixed("#" + $0.typed) } ?? .missing))
      }
    }
    return group
  }

  /// Through cells without value.
  private var strokes: SVGElement {
    var group = SVGElement.group("strokes").stroked(.axis, width: 0.8)
    guard layout.hasJoints else { return group }
    let (x, y) = (layout.cellWidth / 2, layout.cellHeight / 2)
    for row in values.indices {
      for column in values[row].indices where values[row][column] == nil {
        let centre = layout.centre(row: row, column: column)
        group.append(.line("stroke", [centre.x - x, centre.y + y], [centre.x + x, centre.y - y]))
      }
    }
    return group
  }

  private var outlines: SVGElement {
    let labels = Self.labels(of: map.marks)
    var counts = [[Int]: Double]()
    var group = SVGElement.group("marks", ["fill": "none"])
    for mark in map.marks {
      // Several marks of a cell lie within each other.
      let place = [mark.row, mark.column]
      let box = box("mark", mark.row, mark.column, inset: 2 + 4.5 * counts[place, default: 0])
      counts[place, default: 0] += 1
      group.append(box.stroked(.fixed("#ffffff"), width: 4.5))
      group.append(box.stroked(Self.outlineColour(labels.firstIndex(of: mark.label) ?? 0), width: 2.5))
    }
    return group
  }

  /// The colours with their numbers and what they mean.
  private var colourBar: SVGElement {
    let bar = layout.colourBar
    let id = SVGText.identifier(map.name, size) + "-colours"
    // From the least value: to the right, or upwards.
    let (end, start) = size.hasColoursBelow ? ("1", "0") : ("0", "1")
    var gradient = SVGElement("linearGradient", ["id": id, "x1": "0", "y1": start, "x2": end, "y2": "0"])
    // Between entries 5 apart the map is linear to within 1 of 255.
    for index in stride(from: 0, to: ground.table.count, by: 5) {
      let share = Double(index) / Double(ground.table.count - 1)
      gradient.append(
        SVGElement(
          "stop",
          ["offset": SVGNumber.text(100 * share) + "%", "stop-color": "#" + ground.table[index].typed]))
    }
    var group = SVGElement.group(
      "colour-bar",
      [
        "data-scale": colours.isLogarithmic ? "log" : "linear", "data-low": "\(colours.range.lowerBound)",
        "data-high": "\(colours.range.upperBound)",
      ])
    group.append(gradient)
    var box = SVGElement.box(nil, bar.left, bar.top, bar.right, bar.bottom)
    box.set("fill", "url(#\(id))")
    group.append(box)
    var labels = SVGElement.group("labels").filled(.tick)
    for (value, label) in zip(colours.ticks.values, colours.ticks.labels) {
      labels.append(layout.colourLabel(label, at: colours.position(value)))
    }
    group.appendUnlessEmpty(labels)
    var names = SVGElement.group("names").filled(.text)
    for name in layout.colourNames { names.append(name) }
    group.appendUnlessEmpty(names)
    return group
  }
}
