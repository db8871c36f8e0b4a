public import DepthCharts
import Foundation
public import FathomStorage

extension AtomicFolder {
  /// Draws charts in every size, and writes each with its data: `figures/NAME.svg`, `figures/NAME.narrow.svg`, `figures/NAME.csv`.
  public func write(_ figures: [Figure]) throws(FathomError) {
    for size in FigureSize.allCases {
      for (figure, svg) in zip(figures, ChartRenderer.svg(figures, size: size)) {
        try write(svg, to: figure.file(size))
      }
    }
    for figure in figures { try write(figure.table.csv, to: figure.dataFile) }
  }

  /// Writes a report in its formats: `report.json`, `report.md`, and `report.html`, which shows the figures and pictures
  /// that were written before.
  /// - Throws: `FathomError`; `PageError` where what the report shows is not a figure or picture.
  public func write(_ document: ReportDocument) throws {
    try write(try document.json, to: "report.json")
    try write(MarkdownRenderer.render(document), to: "report.md")
    let folder = partial
    let page = HTMLReport(document) { file in
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file)))
    }
    try write(try page.render(), to: "report.html")
  }
}
