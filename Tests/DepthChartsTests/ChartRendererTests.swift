import Foundation
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
        "share", x: [1, 2, 3], y: [0.1, 0.3, 0.2], low: [0.05, 0.2, nil], high: [0.2, 0.4, nil], style: .bars),
      ChartSeries("ideal", x: [1, 3], y: [0.1, 0.1], style: .line, isReference: true),
    ], marks: [ChartMark(x: 2.5, label: "specified")])
  static let map = HeatMap(
    "grid", title: "Grid", alt: "The least error is at a threshold of 1.", x: ChartAxis("weight"),
    columns: ["0", "0.5", "1"], y: ChartAxis("k", unit: "σ"), rows: ["1", "2"],
    values: [[0.01, 0.02, 0.03], [0.04, nil, 0.05]], value: ChartAxis("AbsRel"),
    marks: [.init(row: 0, column: 0, label: "best"), .init(row: 1, column: 2, label: "specified")])

  @Test("gives the same bytes alone, in company and from several threads")
  func isDeterministic() async throws {
    let figures = [Figure.chart(Self.chart), .heatMap(Self.map)]
    let first = try ChartRenderer.svg(figures)
    #expect(first.count == 2 && first[0] != first[1])
    #expect(try ChartRenderer.svg(figures) == first)
    #expect(try ChartRenderer.svg(figures.reversed()) == first.reversed())
    #expect(try ChartRenderer.svg([figures[1]]) == [first[1]])
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 { group.addTask { try ChartRenderer.svg(figures) } }
      for try await svgs in group { #expect(svgs == first) }
    }
    #expect(try ChartRenderer.svg([]).isEmpty)
  }

  @Test(
    "describes the figure to screen readers and names no program",
    arguments: [Figure.chart(chart), .heatMap(map)])
  func isAccessible(_ figure: Figure) throws {
    let svg = try #require(try ChartRenderer.svg([figure]).first)
    let drawn = try #require(DrawnElements(svg))
    #expect(drawn.root["role"] == "img")
    #expect(drawn.title == figure.title && drawn.explanation == figure.alt)
    let id = SVGDocument.identifier(figure.name)
    #expect(drawn.root["aria-labelledby"] == "\(id)-title \(id)-desc")
    #expect(drawn.ids.allSatisfy { $0 == id || $0.hasPrefix(id + "-") })
    #expect(Set(drawn.ids).count == drawn.ids.count)
    #expect(drawn.links.allSatisfy { drawn.ids.contains(String($0.dropFirst())) })
    #expect(!svg.localizedCaseInsensitiveContains("gnuplot"))
    #expect(drawn.root["width"] == "720" && drawn.root["viewBox"]?.hasPrefix("0 0 720 ") == true)
  }

  @Test("names axes with their units, series and marks, below the data")
  func names() throws {
    let drawn = try #require(DrawnElements(try ChartRenderer.svg([.chart(Self.chart)])[0]))
    let axis = try #require(drawn.text("range [m]"))
    for name in ["ols", "spec", "front", "share", "ideal"] {
      let text = try #require(drawn.text(name))
      #expect(text.y > axis.y)
    }
    #expect(drawn.text("AbsRel") != nil && drawn.text("Error & range") != nil)
    let mark = try #require(drawn.text("specified"))
    // Above all data: the symbols of the series.
    #expect(drawn.symbols.allSatisfy { $0.y > mark.y })
  }

  @Test("shows strings from data as they are, and runs nothing in them")
  func strings() throws {
    let trap = FileManager.default.temporaryDirectory.appendingPathComponent("fathom-\(UUID().uuidString)")
      .path
    let hostile = [
      "it's \"quoted\" 100 % %d %s", "a_1^2 {x} @y &z <b> ~ \\n \\", "`touch \(trap)`", "äöü 深度 α ∞",
      "'; system('touch \(trap)'); #", "@PATH $PATH ${x}", "id='gpPt1' url(#gpPat1) id=\"gnuplot_x\"",
      "'", "''a", "'5'5'", "\"", "\"\"b", "\\", "\\101 \\", "`", "{/:Bold x}", "#c", "$(touch \(trap))",
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
      let svgs = try ChartRenderer.svg([.chart(chart), .heatMap(map)])
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
    #expect(!FileManager.default.fileExists(atPath: trap))
  }

  @Test("takes line ends and control characters for blanks")
  func controlCharacters() throws {
    let trap = FileManager.default.temporaryDirectory.appendingPathComponent("fathom-\(UUID().uuidString)")
      .path
    let name = "one\nsystem 'touch \(trap)'\r\nEOD\u{2028}two\u{0}\u{7}\u{FFFF}"
    let chart = Chart(
      "lines", title: name, alt: name, x: ChartAxis(name), y: ChartAxis(name),
      series: [ChartSeries(name, x: [0], y: [1])], marks: [ChartMark(x: 0, label: name)], categories: [name])
    _ = try #require(DrawnElements(try ChartRenderer.svg([.chart(chart)])[0]))
    #expect(!FileManager.default.fileExists(atPath: trap))
  }
}
