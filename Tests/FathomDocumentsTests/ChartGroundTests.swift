import DepthCharts
import DepthCore
import Foundation
import FathomTestSupport
import Testing

@Suite("Charts on the dark page")
struct ChartGroundTests {
  /// A chart with every colour that a chart can have.
  private static let charts = [
    Figure.chart(
      Chart(
        "c", title: "t", alt: "a", x: ChartAxis("x"), y: ChartAxis("y"),
        series: (0..<9).map { ChartSeries("\($0)", x: [0, 1], y: [1, Double($0)]) }
          + (0..<4).map { ChartSeries("r\($0)", x: [0, 1], y: [1, Double($0)], isReference: true) },
        marks: [ChartMark(x: 0.5, label: "m")])),
    .heatMap(
      HeatMap(
        "m", title: "t", alt: "a", x: ChartAxis("x"), columns: ["a", "b"], y: ChartAxis("y"), rows: ["r"],
        values: [[1, nil]], value: ChartAxis("v"))),
  ]

  /// Custom properties of the rules for dark screens, those of the whole page and of charts.
  private func darkColours() throws -> [String: String] {
    let file = PackageFiles.root.appendingPathComponent("Sources/FathomDocuments/HTML/Page/page.css")
    let css = try String(contentsOf: file, encoding: .utf8)
    let rules = css.components(separatedBy: "@media screen and (prefers-color-scheme: dark) {").dropFirst()
    let own = rules.map { $0.components(separatedBy: "\n}")[0] }.joined()
    let pairs = own.matches(of: /(--[a-z0-9-]+): ([^;]+);/).map { (String($0.1), String($0.2)) }
    return Dictionary(pairs) { $1 }
  }

  @Test("every colour of paper and ink has one there, and stands out from the ground")
  func colours() throws {
    let dark = try darkColours()
    func colour(_ property: String) throws -> RGB {
      let value = try #require(dark[property], "\(property) is not defined")
      if let name = value.firstMatch(of: /var\((.*)\)/)?.1 { return try colour(String(name)) }
      return try #require(RGB.reading(value))
    }
    let used = Set(
      ChartRenderer.svg(Self.charts).flatMap { $0.matches(of: /var\((--chart-[a-z0-9-]+),/) }.map {
        String($0.output.1)
      })
    #expect(used.count == 17, "\(used.sorted())")
    let paper = try colour("--chart-paper").luminance
    for property in used {
      let contrast = (try colour(property).luminance + 0.05) / (paper + 0.05)
      // WCAG 2: 4.5 for text, 3 for other marks with a meaning.
      let least =
        switch property {
        case "--chart-paper": 1.0
        case "--chart-grid", "--chart-missing": 1.1
        case "--chart-text", "--chart-tick", "--chart-mark": 4.5
        default: 3.0
        }
      #expect(contrast >= least, "\(property): \(contrast)")
    }
  }
}
