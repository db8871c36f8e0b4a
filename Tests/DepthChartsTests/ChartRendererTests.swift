import Foundation
import FathomTestSupport
import Testing

@testable import DepthCharts

@Suite("Rendering")
struct ChartRendererTests {
  static let chart = Chart(
    "error by range", title: "Error & range", alt: "Errors grow from 0.1 to 0.4 < 1.",
    x: ChartAxis("range", unit: "m"), y: ChartAxis("AbsRel"),
    series: [
      ChartSeries("ols", x: [1, 2, 3], y: [0.1, 0.2, 0.4], low: [0.05, 0.1, 0.3], high: [0.2, 0.3, 0.5]),
      ChartSeries("spec", x: [1, 2, 3], y: [0.3, nil, 0.2], style: .points),
      ChartSeries("front", x: [1, 2, 3], y: [0.4, 0.3, 0.2], style: .steps),
      ChartSeries(
        "share", x: [1, 2, 3], y: [0.1, 0.3, 0.2], low: [0.05, 0.2, nil], high: [0.2, 0.4, nil],
        style: .points),
      ChartSeries("ideal", x: [1, 3], y: [0.1, 0.1], style: .line, isReference: true),
    ], marks: [ChartMark(x: 2.5, label: "specified")])
  static let map = HeatMap(
    "grid", title: "Grid", alt: "The least error is at a threshold of 1.", x: ChartAxis("weight"),
    columns: ["0", "0.5", "1"], y: ChartAxis("k", unit: "σ"), rows: ["1", "2"],
    values: [[0.01, 0.02, 0.03], [0.04, nil, 0.05]], value: ChartAxis("AbsRel"),
    marks: [.init(row: 0, column: 0, label: "best"), .init(row: 1, column: 2, label: "specified")])

  @Test("gives the same bytes alone, in company and from several threads")
  func isDeterministic() async {
    let figures = [Figure.chart(Self.chart), .heatMap(Self.map)]
    let first = ChartRenderer.svg(figures)
    #expect(first.count == 2 && first[0] != first[1])
    #expect(ChartRenderer.svg(figures) == first)
    #expect(ChartRenderer.svg(figures.reversed()) == first.reversed())
    #expect(ChartRenderer.svg([figures[1]]) == [first[1]])
    await withTaskGroup(of: [String].self) { group in
      for _ in 0..<4 { group.addTask { ChartRenderer.svg(figures) } }
      for await svgs in group { #expect(svgs == first) }
    }
    #expect(ChartRenderer.svg([]).isEmpty)
  }

  @Test("shares are shades below the axis: they meet half way, equal ones are joined, gaps stay empty")
  func shade() throws {
    let chart = Chart(
      "shade", title: "t", alt: "a", x: ChartAxis("x", range: 0...4), y: ChartAxis("y"),
      series: [ChartSeries("s", x: [0, 1, 2, 4], y: [1, 2, 3, 4])],
      shade: ChartShade("truth", x: [0, 1, 2, 3, 4], shares: [0.251, 0.249, 1, nil, 0.5]))
    let drawn = try #require(DrawnElements(ChartRenderer.svg([.chart(chart)])[0]))
    let boxes = drawn.shapes(in: "shade").filter { $0.attributes["fill-opacity"] != nil }
    #expect(boxes.compactMap { $0.number("fill-opacity") } == [0.25, 1, 0.5])
    let (low, high) = (try drawn.places(on: "x").low, try drawn.places(on: "x").high)
    func place(_ value: Double) -> Double { low.y + (value - low.x) / (high.x - low.x) * (high.y - low.y) }
    for (box, ends) in zip(boxes, [(0.0, 1.5), (1.5, 2.5), (3.5, 4)]) {
      let left = try #require(box.number("x"))
      let width = try #require(box.number("width"))
      #expect(abs(left - place(ends.0)) < 0.02 && abs(left + width - place(ends.1)) < 0.03)
    }
    let bottom = try drawn.places(on: "y").low.y
    #expect(boxes.allSatisfy { ($0.number("y") ?? 0) > bottom })
    #expect(drawn.text("truth") != nil)
  }

  @Test(
    "describes the figure to screen readers, and keeps ids and rules to itself",
    arguments: [Figure.chart(chart), .heatMap(map)], FigureSize.allCases)
  func isAccessible(_ figure: Figure, _ size: FigureSize) throws {
    let svg = try #require(ChartRenderer.svg([figure], size: size).first)
    let drawn = try #require(DrawnElements(svg))
    #expect(drawn.root["role"] == "img")
    #expect(drawn.title == figure.title && drawn.explanation == figure.alt)
    let id = SVGText.identifier(figure.name, size)
    #expect(drawn.root["aria-labelledby"] == "\(id)-title \(id)-desc")
    #expect(drawn.ids.allSatisfy { $0 == id || $0.hasPrefix(id + "-") })
    #expect(Set(drawn.ids).count == drawn.ids.count)
    for match in svg.matches(of: /url\(#([^)]*)\)/) { #expect(drawn.ids.contains(String(match.1))) }
    // Rules outside the figure would change the page.
    let rules = drawn.style.matches(of: /[{}]#([^ ]+) \.[a-z0-9-]+{/)
    #expect(rules.allSatisfy { $0.1 == id } && drawn.style.count { $0 == "{" } == rules.count + 1)
    let width = size == .wide ? "720" : "360"
    #expect(drawn.root["width"] == width && drawn.root["viewBox"]?.hasPrefix("0 0 \(width) ") == true)
  }

  @Test("both sizes of a figure have ids of their own, and show the same values in letters of the same size")
  func sizes() throws {
    for figure in [Figure.chart(Self.chart), .heatMap(Self.map)] {
      let drawn = try FigureSize.allCases.map {
        try #require(DrawnElements(ChartRenderer.svg([figure], size: $0)[0]))
      }
      #expect(Set(drawn[0].ids).isDisjoint(with: drawn[1].ids))
      for word in ["points", "whisker", "cells"] {
        #expect(drawn[0].shapes(in: word).count == drawn[1].shapes(in: word).count, "\(word)")
      }
      for text in ["range [m]", "AbsRel", "ols", "weight", "k [σ]", "0.5", "best"] {
        #expect((drawn[0].text(text) == nil) == (drawn[1].text(text) == nil), "\(text)")
      }
    }
  }

  @Test("twenty long names stand beside each other on a phone, a little smaller")
  func manyColumns() throws {
    let names = (0..<20).map { "method-\($0)@disparity" }
    let map = HeatMap(
      "m", title: "t", alt: "a", x: ChartAxis("method"), columns: names, y: ChartAxis("scene"), rows: ["r"],
      values: [names.indices.map(Double.init)], value: ChartAxis("v"))
    let drawn = try #require(DrawnElements(ChartRenderer.svg([.heatMap(map)], size: .narrow)[0]))
    let places = names.compactMap { drawn.text($0)?.x }
    #expect(places.count == 20)
    #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 > 9.5 })
  }

  @Test("names axes with their units, series and marks, below the data")
  func names() throws {
    let drawn = try #require(DrawnElements(ChartRenderer.svg([.chart(Self.chart)])[0]))
    let axis = try #require(drawn.text("range [m]"))
    for name in ["ols", "spec", "front", "share", "ideal"] {
      let text = try #require(drawn.text(name))
      #expect(text.y > axis.y)
    }
    #expect(drawn.text("AbsRel") != nil && drawn.text("Error & range") != nil)
    let mark = try #require(drawn.text("specified"))
    // Above all data.
    #expect(drawn.shapes(in: "points").compactMap(\.centre).allSatisfy { $0.y > mark.y })
  }

  @Test("shows strings from data as they are")
  func strings() throws {
    let hostile = [
      "it's \"quoted\" 100 % %d %s", "a_1^2 {x} @y &z <b> ~ \\n \\", "äöü 深度 α ∞", "x\" onload=\"alert(1)",
      "</text><script>", "<![CDATA[x]]>", "]]>", "&amp; &#60;", "url(#figure-x) }</style>",
      "'", "''a", "'5'5'", "\"", "\"\"b", "\\", "\\101 \\", "`", "{/:Bold x}", "#c",
      "] [;!|", "— “q” ’",
    ]
    let series = hostile.map { ChartSeries($0, x: [0, 1], y: [1, 2], style: .points) }
    for name in hostile {
      let chart = Chart(
        name, title: name, alt: name, x: ChartAxis(name, unit: name), y: ChartAxis("y " + name),
        series: series,
        marks: [ChartMark(x: 0.5, label: "m " + name)], categories: ["c " + name, "d"])
      let map = HeatMap(
        name + " map", title: name, alt: name, x: ChartAxis("x"), columns: ["c " + name], y: ChartAxis("y"),
        rows: ["r " + name], values: [[1]], value: ChartAxis("v " + name),
        marks: [.init(row: 0, column: 0, label: "m " + name)])
      let svgs = ChartRenderer.svg([.chart(chart), .heatMap(map)])
      for (svg, prefixes) in zip(svgs, [["", "y ", "m ", "c "], ["", "c ", "r ", "v ", "m "]]) {
        let drawn = try #require(DrawnElements(svg), "well-formed")
        #expect(drawn.title == name && drawn.explanation == name)
        // Wrapped texts keep their words; the others their whole string.
        let all = drawn.texts.map(\.string)
        for prefix in prefixes {
          #expect(all.contains { name.hasPrefix($0) || (prefix + name).hasPrefix($0) })
        }
        for prefix in prefixes where TextWidth.of(prefix + name, size: 13) < 130 {
          #expect(all.contains(prefix + name), "\(prefix + name)")
        }
      }
    }
  }

  @Test("takes line ends and control characters for blanks")
  func controlCharacters() throws {
    let name = "one\nthree\r\nfour\u{2028}two\u{0}\u{7}\u{FFFF}"
    let chart = Chart(
      "lines", title: name, alt: name, x: ChartAxis(name), y: ChartAxis(name),
      series: [ChartSeries(name, x: [0], y: [1])], marks: [ChartMark(x: 0, label: name)], categories: [name])
    let drawn = try #require(DrawnElements(ChartRenderer.svg([.chart(chart)])[0]))
    #expect(!drawn.title.contains { $0.isNewline } && drawn.title.contains("four"))
    #expect(SVGText.escaped("a <b> & \"c\"") == "a &lt;b&gt; &amp; &quot;c&quot;")
  }

  @Test("every colour of paper and ink is a custom property with itself for papers without")
  func colours() throws {
    let svg = ChartRenderer.svg([.chart(Self.chart)])[0]
    let drawn = try #require(DrawnElements(svg))
    for name in ["paper", "text", "tick", "axis", "grid", "mark", "series-1", "series-4", "reference-1"] {
      let colour = try #require(
        drawn.style.firstMatch(of: try Regex("var\\(--chart-\(name),(#[0-9A-Fa-f]{6})\\)"))?[1].substring)
      #expect(drawn.values.contains { ["fill", "stroke"].contains($0.name) && $0.value == colour })
    }
    // Colours of cells are values.
    #expect(!ChartRenderer.svg([.heatMap(Self.map)])[0].contains("--chart-series"))
  }

  @Test("numbers are numbers whatever the values are")
  func extremes() throws {
    let sets: [[Double?]] = [
      [1e-300, 1e300], [-1e299, 1e299], [.leastNonzeroMagnitude, .leastNormalMagnitude], [0, 0, 0],
      [.infinity, -.infinity, .nan, 1], [1e-5],
      [nil], [], [1, 1 + 1e-15, 1],
    ]
    for values in sets {
      for isLogarithmic in [false, true] {
        let axis = ChartAxis("v", isLogarithmic: isLogarithmic)
        let styles: [ChartSeries.Style] = [.line, .linePoints, .points, .steps]
        let places = values.map { $0 ?? .nan }
        let charts = styles.map { style in
          Chart(
            "c", title: "t", alt: "a", x: axis, y: axis,
            series: [ChartSeries("s", x: places, y: values, low: values, high: values, style: style)],
            marks: [ChartMark(x: 1, label: "m")])
        }
        let map = HeatMap(
          "m", title: "t", alt: "a", x: axis, columns: values.indices.map { "\($0)" }, y: axis, rows: ["r"],
          values: [values], value: axis)
        for svg in ChartRenderer.svg(charts.map(Figure.chart) + [.heatMap(map)]) {
          let drawn = try #require(DrawnElements(svg), "well-formed")
          for (name, value) in drawn.values
          where !["data-low", "data-high", "aria-labelledby"].contains(name) {
            #expect(!value.contains("nan") && !value.contains("inf"), "\(values) \(name)=\(value)")
          }
          for text in drawn.texts { #expect(!text.string.contains("nan") && !text.string.contains("inf")) }
        }
      }
    }
  }

  @Test("a hundred series, each with its name below the chart")
  func manySeries() throws {
    let series = (0..<100).map { ChartSeries("series \($0)", x: [0, 1], y: [Double($0), 1]) }
    let chart = Chart("c", title: "t", alt: "a", x: ChartAxis("x"), y: ChartAxis("y"), series: series)
    let drawn = try #require(DrawnElements(ChartRenderer.svg([.chart(chart)])[0]))
    let height = try #require(drawn.root["height"].flatMap(Double.init))
    for index in series.indices {
      let text = try #require(drawn.text("series \(index)"))
      #expect(text.y < height && text.y > 300 && text.x < 720)
      #expect(drawn.marks(of: "series \(index)").count == 2)
    }
    let places = series.indices.compactMap { drawn.text("series \($0)") }.map { [$0.x, $0.y] }
    #expect(Set(places).count == 100)
  }

  @Test("a small chart, byte by byte", arguments: [Figure.chart(chart), .heatMap(map)])
  func golden(_ figure: Figure) throws {
    let name = figure.name.replacing(" ", with: "-")
    try GoldenFile.expect(ChartRenderer.svg([figure])[0], "Tests/DepthChartsTests/Golden/\(name).svg")
  }
}
