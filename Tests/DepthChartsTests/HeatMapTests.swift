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
    return try #require(DrawnElements(try ChartRenderer.svg([.heatMap(map)])[0]))
  }

  @Test("colours run over viridis from the least to the greatest value")
  func colours() throws {
    // Of the published table: entries 0, 127.5, 63.75 and 255. The cells come first, then the stripes of the bar.
    let cells = try drawn([[1, 3], [2, 5]]).fills.prefix(4)
    let expected = [[68, 1, 84], [33, 144.5, 140.5], [59, 82, 138.8], [253, 231, 37]]
    for (cell, channels) in zip(cells, expected) { #expect(isClose(cell, channels), "\(cell)") }
    let logarithmic = try drawn([[0.01, 100, 1]], value: ChartAxis("v", isLogarithmic: true)).fills
    #expect(isClose(logarithmic[2], [33, 144.5, 140.5]), "one is half-way between 0.01 and 100")
  }

  /// Whether "rgb(1,2,3)" differs from the channels by less than 2 each.
  private func isClose(_ colour: String, _ channels: [Double]) -> Bool {
    let drawn = colour.matches(of: /[0-9]+/).compactMap { Double($0.output) }
    return drawn.count == 3 && zip(drawn, channels).allSatisfy { abs($0 - $1) < 2 }
  }

  @Test("rows run from the top, numbers stand in their cells")
  func numbers() throws {
    let drawn = try drawn([[1.25, 2.5], [3.75, 5]])
    let texts = try ["1.25", "2.50", "3.75", "5.00"].map { try #require(drawn.text($0)) }
    #expect(texts[0].x == texts[2].x && texts[1].x == texts[3].x && texts[0].x < texts[1].x)
    #expect(texts[0].y == texts[1].y && texts[0].y < texts[2].y)
    let (row, column) = (try #require(drawn.text("r1")), try #require(drawn.text("c1")))
    #expect(abs(row.y - texts[3].y) < 2 && abs(column.x - texts[3].x) < 0.1)
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
    #expect(drawn.fills.count { $0 == "rgb(235,235,235)" } == 3)
    for name in ["best", "specified", "no value"] { #expect(drawn.texts.count { $0.string == name } == 1) }
    // Two outlines and the legend.
    #expect(drawn.paths.count { $0.colour == "rgb(213,94,0)" } == 3)
  }

  @Test("equal values, none, and no cells", arguments: [[[2.0, 2.0]], [[nil, nil]], []] as [[[Double?]]])
  func degenerate(_ values: [[Double?]]) throws {
    let drawn = try drawn(values)
    #expect((drawn.text("no data") != nil) == values.isEmpty)
  }

  @Test("text on every colour has a contrast of at least 4.5 (WCAG 2, AA)")
  func contrast() {
    for (index, colour) in Viridis.stops.enumerated() {
      let luminance = Viridis.relativeLuminance(colour)
      let isBlack = Viridis.textColour(on: Double(index) / Double(Viridis.stops.count - 1)) == "#000000"
      #expect((isBlack ? (luminance + 0.05) / 0.05 : 1.05 / (luminance + 0.05)) >= 4.5)
    }
  }
}
