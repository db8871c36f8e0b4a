import Foundation
import Testing

@testable import DepthCharts

@Suite("Where a chart draws its values")
struct ChartGeometryTests {
  private func drawn(_ chart: Chart) throws -> DrawnElements {
    try #require(DrawnElements(try ChartRenderer.svg([.chart(chart)])[0]))
  }

  /// The marks of the only series of points, without that of the legend.
  private func points(
    _ x: ChartAxis, _ y: ChartAxis, at places: [(Double, Double)]
  ) throws -> [DrawnElements.Symbol] {
    let series = ChartSeries("s", x: places.map(\.0), y: places.map(\.1), style: .points)
    let symbols = try drawn(Chart("c", title: "t", alt: "a", x: x, y: y, series: [series])).symbols
    let least = try #require(symbols.map(\.y).max())
    return symbols.filter { $0.colour == "rgb(0,114,178)" && $0.y < least }
  }

  @Test("linear axes")
  func linear() throws {
    let axis = ChartAxis("x", range: 0...4)
    let symbols = try points(axis, ChartAxis("y", range: -1...1), at: [(0, -1), (4, 1), (1, 0.5)])
    try #require(symbols.count == 3)
    // Coordinates are written with two decimals.
    #expect(abs(symbols[2].x - (0.75 * symbols[0].x + 0.25 * symbols[1].x)) < 0.02)
    #expect(abs(symbols[2].y - (0.25 * symbols[0].y + 0.75 * symbols[1].y)) < 0.02)
    #expect(symbols[0].x < symbols[1].x && symbols[0].y > symbols[1].y)
  }

  @Test("logarithmic axes")
  func logarithmic() throws {
    let axis = ChartAxis("x", isLogarithmic: true, range: 0.01...100)
    let symbols = try points(axis, axis, at: [(0.01, 0.01), (100, 100), (0.1, 10)])
    try #require(symbols.count == 3)
    #expect(abs(symbols[2].x - (0.75 * symbols[0].x + 0.25 * symbols[1].x)) < 0.02)
    #expect(abs(symbols[2].y - (0.25 * symbols[0].y + 0.75 * symbols[1].y)) < 0.02)
  }

  @Test(
    "labels stand at their ticks, however wide those of the other axis are", arguments: [1, 1e5, 1e-4, 1e9])
  func tickLabels(_ scale: Double) throws {
    let x = (0...12).map { 12_345.5 + Double($0) * 7.25 }
    let series = ChartSeries("s", x: x, y: x.map { ($0 - 12_300) * scale })
    let axes = (ChartAxis("x"), ChartAxis("a name of the axis", unit: "m"))
    let chart = Chart("c", title: "t", alt: "a", x: axes.0, y: axes.1, series: [series])
    let labels = try drawn(chart).texts.compactMap { text in
      Double(text.string.replacing("\u{202F}", with: "")).map { (value: $0, x: text.x, y: text.y) }
    }
    let lowest = try #require(labels.map(\.y).max())
    let below = labels.filter { $0.y == lowest }
    try #require(below.count > 2)
    let slopes = zip(below, below.dropFirst()).map { ($1.x - $0.x) / ($1.value - $0.value) }
    #expect(slopes.allSatisfy { abs($0 / slopes[0] - 1) < 1e-3 })
  }

  @Test("a missing value is a gap, a lone one a dot")
  func gaps() throws {
    let y: [Double?] = [1, 2, nil, 3, .nan, 2, 1]
    let series = ChartSeries("s", x: [0, 1, 2, 3, 4, 5, 6], y: y, style: .line)
    let chart = Chart("c", title: "t", alt: "a", x: ChartAxis("x"), y: ChartAxis("y"), series: [series])
    let drawn = try drawn(chart)
    let strokes = drawn.paths.filter { $0.colour == "rgb(0,114,178)" && $0.data.contains("L") }.map(\.data)
    // Two stretches of the line, and its sample in the legend.
    let pieces = strokes.joined(separator: " ").count { $0 == "M" }
    #expect(pieces == 3)
    #expect(drawn.symbols.count { $0.colour == "rgb(0,114,178)" } == 1)
  }

  @Test("a step holds until the next x, a line ends before a gap")
  func held() {
    let series = ChartSeries("s", x: [0, 1, 2, 3], y: [5, nil, 6, 7])
    let points = series.points(x: ChartAxis("x"), y: ChartAxis("y"))
    let isThere = { (point: SeriesPoint) in point.y != nil }
    #expect(points.runs(where: isThere).map { $0.map(\.x) } == [[0], [2, 3]])
    #expect(points.runs(isHeld: true, where: isThere).map { $0.map(\.x) } == [[0, 1], [2, 3]])
    #expect(points.runs(isHeld: true, where: isThere)[0].map(\.y) == [5, 5])
  }

  @Test("values without a place on a logarithmic axis are counted, intervals reach its end")
  func displaced() throws {
    let series = ChartSeries(
      "s", x: [1, 2, 3], y: [0.1, 0, -1], low: [0, 0, nil], high: [0.2, 0.3, nil], style: .points)
    let chart = Chart(
      "c", title: "t", alt: "a", x: ChartAxis("x"), y: ChartAxis("y", isLogarithmic: true), series: [series])
    let drawn = try drawn(chart)
    #expect(drawn.text("2 values without a place on the axes left out") != nil)
    let scales = ChartScales(chart, width: 600)
    #expect(scales.points[0].map { $0?.interval?.low } == [0, 0, nil])
    #expect(scales.y.range.contains(0.1) && scales.y.range.contains(0.3))
  }

  @Test("marks widen a range, and are counted where the axis has no place for them")
  func displacedMarks() throws {
    let series = [ChartSeries("s", x: [1, 2], y: [1, 2])]
    let marks = [ChartMark(x: -1, label: "m"), ChartMark(x: 40, label: "n")]
    let logarithmic = Chart(
      "c", title: "t", alt: "a", x: ChartAxis("x", isLogarithmic: true), y: ChartAxis("y"), series: series,
      marks: marks)
    let drawn = try drawn(logarithmic)
    #expect(drawn.text("1 value without a place on the axes left out") != nil)
    #expect(drawn.text("m") == nil && drawn.text("n") != nil)
    #expect(ChartScales(logarithmic, width: 600).x.range.contains(40))
    let categorical = Chart(
      "c", title: "t", alt: "a", x: ChartAxis("x"), y: ChartAxis("y"), series: series, marks: marks,
      categories: ["p", "q", "r"])
    #expect(ChartScales(categorical, width: 600).displacedCount == 2)
  }

  @Test("bars start from zero and stand side by side")
  func bars() throws {
    let series = [
      ChartSeries("a", x: [0, 1], y: [2, 3], style: .bars),
      ChartSeries("b", x: [0, 1], y: [4, -1], style: .bars),
    ]
    let chart = Chart(
      "c", title: "t", alt: "a", x: ChartAxis("x"), y: ChartAxis("y"), series: series, categories: ["p", "q"])
    let scales = ChartScales(chart, width: 600)
    #expect(scales.y.range.contains(0) && scales.y.range.contains(-1))
    let (first, second) = (scales.bars.sides(of: 0, series: 0), scales.bars.sides(of: 0, series: 1))
    #expect(abs(first.left + 0.4) < 1e-12 && abs(first.right) < 1e-12 && abs(second.right - 0.4) < 1e-12)
    let colours = try drawn(chart).fills
    #expect(colours.count { $0 == "rgb(0,114,178)" } == 3 && colours.count { $0 == "rgb(213,94,0)" } == 3)
  }

  @Test("bars of a histogram touch")
  func histogram() {
    let centres = (0..<10).map { (Double($0) + 0.5) / 10 }
    let series = ChartSeries("s", x: centres, y: centres, style: .bars)
    let axis = ChartAxis("x", range: 0...1)
    let layout = BarLayout(Chart("c", title: "t", alt: "a", x: axis, y: axis, series: [series]))
    for (left, right) in zip(centres, centres.dropFirst()) {
      #expect(abs(layout.sides(of: left, series: 0).right - layout.sides(of: right, series: 0).left) < 1e-9)
    }
  }

  @Test(
    "nothing to draw is said",
    arguments: [ChartSeries("s", x: [], y: []), ChartSeries("s", x: [1], y: [nil])])
  func empty(_ series: ChartSeries) throws {
    let axes = (ChartAxis("x"), ChartAxis("y", isLogarithmic: true))
    let drawn = try drawn(Chart("c", title: "t", alt: "a", x: axes.0, y: axes.1, series: [series]))
    #expect(drawn.text("no data") != nil && drawn.text("s (no data)") != nil)
    let none = try self.drawn(
      Chart("c", title: "t", alt: "a", x: axes.0, y: axes.1, series: [], categories: []))
    #expect(none.text("no data") != nil)
  }

  @Test("the legend shows the dashes of every reference")
  func references() throws {
    let series = (0..<4).map { ChartSeries("\($0)", x: [0, 1], y: [1, Double($0)], isReference: true) }
    let chart = Chart("c", title: "t", alt: "a", x: ChartAxis("x"), y: ChartAxis("y"), series: series)
    let svg = try ChartRenderer.svg([.chart(chart)])[0]
    let dashes = svg.matches(of: /stroke-dasharray='([0-9.,]+)'/).map(\.output.1)
    // Each once in the chart and once in the legend; the fourth looks like the first.
    #expect(dashes.count == 8 && Set(dashes).allSatisfy { dash in dashes.count { $0 == dash } >= 2 })
    #expect(Set(dashes).count == 3)
  }

  @Test("every series has a look of its own")
  func looks() {
    let series = (0..<28).map { ChartSeries("\($0)", x: [], y: []) }
    let looks = SeriesPlots.looks(of: series).map { "\($0.line) \($0.points())" }
    #expect(Set(looks).count == looks.count)
  }
}
