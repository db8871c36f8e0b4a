import DepthCore
import FathomDrawingScales
import Foundation
import Testing

@testable import DepthCharts

@Suite("Heat maps")
struct HeatMapTests {
  private func drawn(_ values: [[Double?]], value: ChartAxis = ChartAxis("v"), marks: [HeatMap.Mark] = [])
    throws
    -> DrawnElements
  {
    let map = HeatMap(
      "map", title: "t", alt: "a", x: ChartAxis("x"),
      columns: (0..<(values.first?.count ?? 0)).map { "c\($0)" },
      y: ChartAxis("y"), rows: values.indices.map { "r\($0)" }, values: values, value: value, marks: marks)
    return try #require(DrawnElements(ChartRenderer.svg([.heatMap(map)])[0]))
  }

  @Test("colours run over viridis from the least to the greatest value")
  func colours() throws {
    // Of the published table: entries 0, 128, 64 and 255.
    #expect(try fills([[1, 3], [2, 5]]) == ["#440154", "#21918c", "#3b528b", "#fde725"])
    let logarithmic = try fills([[0.01, 100, 1]], value: ChartAxis("v", isLogarithmic: true))
    #expect(["#21908d", "#21918c"].contains(logarithmic[2]), "one is half-way between 0.01 and 100")
  }

  /// Colours of the cells, row by row.
  private func fills(_ values: [[Double?]], value: ChartAxis = ChartAxis("v")) throws -> [String?] {
    try drawn(values, value: value).shapes(in: "cells").map { $0.attributes["fill"] }
  }

  @Test("the numbers of the bar stand at their colours", arguments: [false, true])
  func colourBar(_ isLogarithmic: Bool) throws {
    let drawn = try drawn([[0.01, 100]], value: ChartAxis("v", isLogarithmic: isLogarithmic))
    let bar = try #require(drawn.shapes(in: "colour-bar").first)
    let (top, height) = (try #require(bar.number("y")), try #require(bar.number("height")))
    for (label, value) in isLogarithmic
      ? [("0.1", 0.25), ("1", 0.5), ("10", 0.75)] : [("40", 0.4), ("20", 0.2)]
    {
      let text = try #require(drawn.texts.first { $0.string == label && $0.x > 600 })
      // The base line is 0.36 of the size below the middle.
      #expect(abs(text.y - 0.36 * 12 - (top + (1 - value) * height)) < 0.05)
    }
    #expect(drawn.values.contains { $0.name == "fill" && $0.value == "url(#figure-map-colours)" })
    #expect(drawn.ids.contains("figure-map-colours"))
  }

  @Test("cells fill the area without gaps, in their order")
  func cells() throws {
    let cells = try drawn([[1, nil, 3], [4, 5, 6]]).shapes(in: "cells")
    try #require(cells.count == 6)
    #expect(cells[1].classes.contains("missing"))
    for index in [0, 1, 3, 4] {
      let (cell, next) = (cells[index], cells[index + 1])
      let right = try #require(cell.number("x")) + (try #require(cell.number("width")))
      #expect(abs(right - (try #require(next.number("x")))) < 0.02 && cell.number("y") == next.number("y"))
    }
    #expect(
      abs((cells[3].number("y") ?? 0) - (cells[0].number("y") ?? 0) - (cells[0].number("height") ?? 0)) < 0.02
    )
  }

  @Test("rows run from the top, numbers stand in their cells")
  func numbers() throws {
    let drawn = try drawn([[1.25, 2.5], [3.75, 5]])
    let texts = try ["1.25", "2.50", "3.75", "5.00"].map { try #require(drawn.text($0)) }
    #expect(texts[0].x == texts[2].x && texts[1].x == texts[3].x && texts[0].x < texts[1].x)
    #expect(texts[0].y == texts[1].y && texts[0].y < texts[2].y)
    let (row, column) = (try #require(drawn.text("r1")), try #require(drawn.text("c1")))
    #expect(abs(row.y - texts[3].y) < 1 && abs(column.x - texts[3].x) < 0.1)
  }

  @Test("more than 150 cells show no numbers")
  func manyCells() throws {
    let cell = { (count: Int) in [[Double?]](repeating: [Double?](repeating: 1.125, count: 10), count: count)
    }
    #expect(try drawn(cell(15)).texts.count { $0.string.hasPrefix("1.1") } >= 150)
    #expect(try drawn(cell(16)).texts.count { $0.string.hasPrefix("1.1") } < 20)
  }

  @Test("missing cells are grey, marks stand in the legend once")
  func missingAndMarks() throws {
    let marks = [
      HeatMap.Mark(row: 0, column: 0, label: "best"), .init(row: 0, column: 0, label: "specified"),
      .init(row: 1, column: 0, label: "best"),
    ]
    let drawn = try drawn([[1, nil], [2, .infinity]], marks: marks)
    // Two cells and the legend.
    #expect(drawn.shapes.count { $0.attributes["fill"] == "#ebebeb" } == 3)
    #expect(drawn.shapes(in: "strokes").count == 2)
    for name in ["best", "specified", "no value"] { #expect(drawn.texts.count { $0.string == name } == 1) }
    // Two outlines and the legend.
    #expect(drawn.shapes.count { $0.attributes["stroke"] == "#D55E00" } == 3)
  }

  @Test("equal values, none, and no cells", arguments: [[[2.0, 2.0]], [[nil, nil]], []] as [[[Double?]]])
  func degenerate(_ values: [[Double?]]) throws {
    let drawn = try drawn(values)
    #expect((drawn.text("no data") != nil) == values.isEmpty)
  }

  @Test("text on every colour has a contrast of at least 4.5 (WCAG 2, AA)")
  func contrast() {
    for colour in ColourMap.viridis.table {
      let luminance = colour.luminance
      let isBlack = CellNumbers.ink(on: colour) == .fixed("#000000")
      #expect((isBlack ? (luminance + 0.05) / 0.05 : 1.05 / (luminance + 0.05)) >= 4.5)
    }
  }
}
