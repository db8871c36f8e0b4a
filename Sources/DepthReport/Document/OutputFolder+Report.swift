public import DepthCharts
import Foundation

extension OutputFolder {
  /// Draws charts and writes each with its data: `figures/NAME.svg`, `figures/NAME.csv`.
  ///
  /// - Throws: `ChartError` where gnuplot fails; `OutputError`.
  public func write(_ figures: [Figure]) throws {
    for (figure, svg) in zip(figures, try ChartRenderer.svg(figures)) {
      try write(svg, to: "figures/\(figure.name).svg")
      try write(figure.table.csv, to: "figures/\(figure.name).csv")
    }
  }

  /// Writes a report in its formats: `report.json`, which counts the lines of the tables that were written before, `report.md`,
  /// `report.html`, which shows the figures and pictures that were.
  ///
  /// - Throws: `OutputError`; `PageError` where what the report shows is not a figure or picture.
  public func write(_ document: ReportDocument) throws {
    var document = document
    let tables = try FileManager.default.contentsOfDirectory(atPath: partial).filter { $0.hasSuffix(".csv") }
    document.tables = Dictionary(
      uniqueKeysWithValues: tables.map { ($0, StoredReport.lines(of: partial + "/" + $0) ?? 0) })
    try write(try document.json, to: "report.json")
    try write(MarkdownRenderer.render(document), to: "report.md")
    let folder = partial
    let page = HTMLReport(document) { file in
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file)))
    }
    try write(try page.render(), to: "report.html")
  }
}
