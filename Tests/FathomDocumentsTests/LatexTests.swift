import FathomStatistics
import FathomTables
import Foundation
import FathomTestSupport
import Testing

@testable import FathomDocuments

/// A wide table of methods, and one of scenes.
private let document: ReportDocument = {
  let columns =
    [
      DisplayTable.Column("method", numeric: false), .init("MAE [m]", .lowerIsBetter),
      .init("coverage [%]", .higherIsBetter),
    ]
    + (1...9).map { DisplayTable.Column("Error of kind \($0)", .lowerIsBetter) }
  let rows = ["lidar_raw", "auto & more"].map { name -> [DisplayTable.Cell] in
    var mae = DisplayTable.Cell("0.01840")
    (mae.interval, mae.value, mae.low, mae.high) = ("[0.0171, 0.0203]", 0.0184, 0.01714, 0.02031)
    mae.isBest = name == "lidar_raw" ? nil : true
    return [DisplayTable.Cell(name), mae, "99.5"] + (1...9).map { DisplayTable.Cell("0.\($0)00") }
  }
  let scenes = DisplayTable(
    columns: [.init("scene", numeric: false), .init("AbsRel")], rows: (0..<50).map { ["room-\($0)", "0.01"] })
  let terms = DisplayTable(
    columns: [.init("word", numeric: false), .init("meaning", numeric: false)], rows: [["MAE", "mean"]])
  return ReportDocument(
    title: "desk & chair",
    sections: [
      .init(
        "a", "A",
        [
          .table(
            TableBlock(
              "methods", caption: "Errors of `auto`, 95 % intervals.",
              DisplayTable(columns: columns, cells: rows))),
          .table(TableBlock("scenes", caption: "By scene.", scenes)),
          .table(TableBlock("terms", caption: "Words.", role: .reference, terms)),
        ])
    ])
}()

@Suite("Tables for papers")
struct LatexTests {
  private func render(_ change: (inout LatexChoice) -> Void = { _ in }) throws -> String {
    var choice = LatexChoice()
    change(&choice)
    return try LatexRenderer.render(document, prefix: "p", choice)
  }

  @Test("a wide table stands in parts that name their rows, at the size of its letters")
  func parts() throws {
    let text = try render()
    #expect(!text.contains("resizebox") && !text.contains("graphicx") && !text.contains("\\tiny"))
    let parts = text.components(separatedBy: "\\begin{tabular}").dropFirst()
    #expect(
      parts.count > 1
        && parts.allSatisfy { $0.contains("lidar\\_\\allowbreak{}raw &") && $0.contains("auto \\& more &") })
    #expect(parts.reduce(0) { $0 + $1.components(separatedBy: "Error of kind").count - 1 } == 9)
  }

  @Test("tables, columns, rows and the unit can be chosen")
  func choice() throws {
    let text = try render {
      ($0.tables, $0.columns, $0.methods, $0.unit) = (["methods"], ["mae"], ["auto & more"], .mm)
    }
    #expect(text.contains("method & MAE [mm] $\\downarrow$ \\\\"))
    #expect(text.contains("\\shortstack[r]{\\textbf{18.40}\\\\{\\scriptsize [17.1, 20.3]}}"))
    #expect(!text.contains("lidar") && !text.contains("coverage") && !text.contains("room-"))
    // Who names a table of definitions gets it.
    #expect(try render { $0.tables = ["terms"] }.contains("MAE & mean"))
    #expect(try !render().contains("MAE & mean"))
  }

  @Test(
    "what is not there is refused, with what there is",
    arguments: [("table", "method", "methods"), ("column", "RMSE", "MAE"), ("method", "aut", "auto & more")])
  func refusal(_ option: String, _ word: String, _ there: String) throws {
    let error = try #require(throws: LatexChoice.Refusal.self) {
      try render { choice in
        switch option {
        case "table": choice.tables = [word]
        case "column": choice.columns = [word]
        default: choice.methods = [word]
        }
      }
    }
    #expect(error.option == option && error.reason.contains("'\(word)'") && error.reason.contains(there))
  }

  private static let compiler = ["tectonic", "pdflatex", "xelatex", "lualatex"].compactMap { name in
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }.first

  @Test(
    "it compiles, and no line is too wide",
    .enabled(if: compiler != nil, "neither tectonic nor a LaTeX is installed"))
  func compiles() throws {
    let folder = try TemporaryFolder()
    let compiler = try #require(Self.compiler)
    let page =
      "\\documentclass{article}\n\\usepackage{booktabs,longtable}\n\\begin{document}\n" + (try render())
      + "\\end{document}\n"
    try Data(page.utf8).write(to: URL(fileURLWithPath: folder.path("t.tex")))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: compiler)
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path(""))
    process.arguments =
      compiler.hasSuffix("tectonic") ? ["t.tex"] : ["-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let log = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(log.suffix(2000))")
    #expect(FileManager.default.fileExists(atPath: folder.path("t.pdf")))
    #expect(!log.contains("Overfull \\hbox"), "\(log.suffix(3000))")
  }
}
