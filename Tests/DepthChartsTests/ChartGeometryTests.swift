import Foundation
import Testing

@testable import DepthCharts

@Suite("Where a chart draws its values")
struct ChartGeometryTests {
  private func drawn(_ chart: Chart) throws -> DrawnElements {
    try #require(DrawnElements(ChartRenderer.svg([.chart(chart)])[0]))
  }

  /// The marks of the only series of points.
  private func points(
    _ x: ChartAxis, _ y: ChartAxis, at places: [(Double, Double)]
  ) throws -> [SIMD2<Double>] {
    let series = ChartSeries("s", x: places.map(\.0), y: places.map(\.1), style: .points)
    return try drawn(Chart("c", title: "t", alt: "a", x: x, y: y, series: [series])).marks(of: "s")
  }

  @Test("linear axes")
  func linear() throws {
    let axis = ChartAxis("x", range: 0...4)
    let places = try points(axis, ChartAxis("y", range: -1...1), at: [(0, -1), (4, 1), (1, 0.5)])
    try #require(places.count == 3)
    // Coordinates are written with two decimals.
    #expect(abs(places[2].x - (0.75 * places[0].x + 0.25 * places[1].x)) < 0.02)
    #expect(abs(places[2].y - (0.25 * places[0].y + 0.75 * places[1].y)) < 0.02)
    #expect(places[0].x < places[1].x && places[0].y > places[1].y)
  }

  @Test("logarithmic axes")
  func logarithmic() throws {
    let axis = ChartAxis("x", isLogarithmic: true, range: 0.01...100)
    let places = try points(axis, axis, at: [(0.01, 0.01), (100, 100), (0.1, 10)])
    try #require(places.count == 3)
    #expect(abs(places[2].x - (0.75 * places[0].x + 0.25 * places[1].x)) < 0.02)
    #expect(abs(places[2].y - (0.25 * places[0].y + 0.75 * places[1].y)) < 0.02)
  }

  @Test("every mark and whisker lies at its value, as the ends of the axes say", arguments: [false, true])
  func toScale(_ isLogarithmic: Bool) throws {
    let (x, y) = ([0.5, 1, 2, 7], [0.02, 0.3, 4, 1.5])
    let (low, high) = (y.map { 0.8 * $0 }, y.map { 1.3 * $0 })
    let drawn = try drawn(
      Chart(
        "c", title: "t", alt: "a", x: ChartAxis("x"), y: ChartAxis("y", isLogarithmic: isLogarithmic),
        series: [ChartSeries("s", x: x, y: y, low: low, high: high, style: .points)]))
    func place(_ value: Double, on axis: String) throws -> Double {
      let ends = try drawn.places(on: axis)
      #expect(ends.isLogarithmic == (axis == "y" && isLogarithmic))
      let scale = { (value: Double) in ends.isLogarithmic ? log(value) : value }
      let share = (scale(value) - scale(ends.low.x)) / (scale(ends.high.x) - scale(ends.low.x))
      return ends.low.y + share * (ends.high.y - ends.low.y)
    }
    let (marks, whiskers) = (drawn.marks(of: "s"), drawn.shapes(in: "whisker", of: "s"))
    try #require(marks.count == 4 && whiskers.count == 4)
    for index in x.indices {
      let across = try place(x[index], on: "x")
      #expect(abs(marks[index].x - across) < 0.011)
      #expect(abs(marks[index].y - (try place(y[index], on: "y"))) < 0.011)
      #expect(abs((whiskers[index].number("x1") ?? 0) - across) < 0.011)
      #expect(abs((whiskers[index].number("y1") ?? 0) - (try place(high[index], on: "y"))) < 0.011)
      #expect(abs((whiskers[index].number("y2") ?? 0) - (try place(low[index], on: "y"))) < 0.011)
    }
  }

  @Test("lines, bands and bars end at the sides of the area, points outside are omitted")
  func clipped() throws {
    let x = [0.0, 1, 2, 3]
    let chart = { (style: ChartSeries.Style) in
      Chart(
        "c", title: "t", alt: "a", x: ChartAxis("x", range: 0.5...2.5), y: ChartAxis("y", range: 0...1),
        series: [
          ChartSeries(
            "s", x: x, y: [0, 1e200, 0.5, 2], low: [-1, 0, 0, 0], high: [2, 2, 1e300, 3], style: style)
        ])
    }
    for style in [ChartSeries.Style.line, .linePoints, .points, .steps] {
      let drawn = try drawn(chart(style))
      let (columns, rows) = (try drawn.places(on: "x"), try drawn.places(on: "y"))
      let (across, down) = (
        columns.low.y - 0.01...columns.high.y + 0.01, rows.high.y - 0.01...rows.low.y + 0.01
      )
      let shapes = drawn.shapes(in: "series")
      #expect(!shapes.isEmpty)
      for shape in shapes where shape.name != "circle" {
        let numbers = (shape.attributes["d"] ?? "").matches(of: /[-0-9.]+/).compactMap { Double($0.output) }
        for index in stride(from: 0, to: numbers.count, by: 2) {
          #expect(across.contains(numbers[index]) && down.contains(numbers[index + 1]), "\(style)")
        }
        if let top = shape.number("y"), let height = shape.number("height"), shape.name == "rect" {
          #expect(down.contains(top) && down.contains(top + height))
        }
      }
      if style == .points { #expect(drawn.marks(of: "s").count == 1) }
    }
  }

  @Test("a line that leaves the area and comes back is drawn to scale up to its sides")
  func pieces() {
    let area = PlotArea(left: 0, top: 0, right: 10, bottom: 10)
    let line: [SIMD2<Double>] = [[0, 5], [2, 15], [4, 15], [6, 5], [8, 5]]
    #expect(area.clipped(line: line) == [[[0, 5], [1, 10]], [[5, 10], [6, 5], [8, 5]]])
    #expect(area.clipped(line: [[-5, -5], [-1, 20]]).isEmpty)
    #expect(
      area.clipped(polygon: [[-5, -5], [5, -5], [5, 5], [-5, 5]]) == [[0, 0], [5, 0], [5, 5], [0, 5]])
    #expect(area.clipped(polygon: [[20, 20], [30, 20], [30, 30]]).isEmpty)
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
    #expect(drawn.shapes(in: "line", of: "s").count == 2)
    #expect(drawn.marks(of: "s").count == 1)
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
    #expect(drawn.text("2 values without a position on the axes not shown") != nil)
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
    #expect(drawn.text("1 value without a position on the axes not shown") != nil)
    #expect(drawn.text("m") == nil && drawn.text("n") != nil)
    #expect(ChartScales(logarithmic, width: 600).x.range.contains(40))
    let categorical = Chart(
      "c", title: "t", alt: "a", x: ChartAxis("x"), y: ChartAxis("y"), series: series, marks: marks,
      categories: ["p", "q", "r"])
    #expect(ChartScales(categorical, width: 600).displacedCount == 2)
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
    let svg = ChartRenderer.svg([.chart(chart)])[0]
    let dashes = svg.matches(of: /stroke-dasharray="([0-9. ]+)"/).map(\.output.1)
    // Each once in the chart and once in the legend; the fourth looks like the first.
    #expect(dashes.count == 8 && Set(dashes).allSatisfy { dash in dashes.count { $0 == dash } >= 2 })
    #expect(Set(dashes).count == 3)
  }

  @Test("every series has a look of its own")
  func looks() {
    let series = (0..<28).map { ChartSeries("\($0)", x: [], y: []) }
    #expect(Set(ChartStyle.looks(of: series)).count == series.count)
    // One that has its own keeps it, and the others take those that are free.
    let given = [nil, 0, 3, nil].map { ChartSeries("", x: [], y: [], look: $0) }
    #expect(ChartStyle.looks(of: given) == [1, 0, 3, 2].map(ChartStyle.look))
  }
}
