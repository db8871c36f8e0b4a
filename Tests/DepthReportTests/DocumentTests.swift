import Foundation
import TestSupport
import Testing

@testable import DepthReport

@Suite("A report as a document")
struct DocumentTests {
  @Test("report.json holds the whole document")
  func json() throws {
    let json = try sampleDocument.json
    #expect(try ReportDocument(json: json) == sampleDocument)
    #expect(json.contains("\"paragraph\" : \"Means over every pixel; ↓ lower is better.\""))
    #expect(json.contains("\"low\" : 0.0171") && json.contains("\"isBest\" : true"))
  }

  @Test("a block of an unknown kind is no document")
  func unknownBlock() {
    #expect(throws: DecodingError.self) {
      try ReportDocument(
        json:
          #"{"generator":"x","sections":[{"id":"a","title":"A","blocks":[{"film":1}],"subsections":[]}],"title":"t"}"#
      )
    }
  }

  @Test func markdown() throws {
    try GoldenFile.expect(
      MarkdownRenderer.render(sampleDocument), "Tests/DepthReportTests/Golden/document.md")
  }

  @Test func latex() throws {
    try GoldenFile.expect(
      LatexRenderer.render(sampleDocument, prefix: "my run"), "Tests/DepthReportTests/Golden/document.tex")
  }

  @Test("a long table breaks over pages")
  func longTable() {
    let table = DisplayTable(
      columns: [.init("n")], rows: (0..<41).map { ["\($0)"] })
    let document = ReportDocument(
      title: "t", sections: [.init("a", "A", [.table(TableBlock("a", caption: "c", table))])])
    let text = LatexRenderer.render(document, prefix: "x")
    #expect(text.contains("\\begin{longtable}{r}") && text.contains("\n40 \\\\\n"))
  }

  @Test(
    "what has a meaning in LaTeX is shown as it is",
    arguments: [
      ("a_b & 50 % #1", "a\\_b \\& 50 \\% \\#1"), ("\\input{x}", "\\textbackslash{}input\\{x\\}"),
      ("δ₁ ≤ 1", "$\\delta_1$ $\\leq$ 1"), ("$|x|$", "\\${}$|$x$|$\\${}"),
      ("~^", "\\textasciitilde{}\\textasciicircum{}"),
    ])
  func latexText(text: String, expected: String) { #expect(LatexText.escape(text) == expected) }

  @Test func sections() {
    #expect(sampleDocument.allSections.map(\.id) == ["findings", "methods", "definitions", "frames"])
  }
}

@Suite("A report in a folder")
struct StoredReportTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
  }

  @Test("everything as JSON: the report, other JSON files, and tables with numbers as numbers")
  func everything() throws {
    try write(try sampleDocument.json, "report.json")
    try write(#"{"seed": 18446744073709551615, "tool": "fathom"}"#, "run.json")
    try write("scene,frame,value,code\nroom,007,0.1,007\nroom,8,,x\n", "frames.csv")
    let text = try StoredReport(readingFrom: folder.path("")).everything()
    let value = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(text.contains("\"seed\" : 18446744073709551615"))
    #expect((value["report"] as? [String: Any])?["title"] as? String == "desk & chair: accuracy")
    let rows = try #require((value["tables"] as? [String: [[String: Any]]])?["frames"])
    #expect(rows[0]["frame"] as? String == "007" && rows[0]["value"] as? Double == 0.1)
    #expect(rows[0]["code"] as? String == "007" && rows[1]["value"] is NSNull)
  }

  @Test("no folder, no report, a damaged one, a figure that is gone")
  func faults() throws {
    let missing = #expect(throws: StoredReportError.self) {
      try StoredReport(readingFrom: folder.path("nowhere"))
    }
    #expect(missing?.isMissing == true)
    let none = #expect(throws: StoredReportError.self) { try StoredReport(readingFrom: folder.path("")) }
    #expect(none?.isMissing == false && none?.reason == "it holds no report.json")
    try write(#"{"title": "x"}"#, "report.json")
    let damaged = #expect(throws: StoredReportError.self) { try StoredReport(readingFrom: folder.path("")) }
    #expect(damaged?.reason.contains("damaged") == true)
    try write(try sampleDocument.json, "report.json")
    let report = try StoredReport(readingFrom: folder.path(""))
    #expect(throws: StoredReportError.self) { try report.bytes(of: "figures/error.svg") }
    #expect(throws: StoredReportError.self) { try report.bytes(of: "../report.json") }
    #expect(throws: StoredReportError.self) { try report.markdown(links: "") }
  }

  @Test(
    "a table that was lost or cut is told, one that may be left out is not; advice is to make the folder again"
  )
  func tables() throws {
    func everything() -> StoredReportError? {
      do {
        _ = try StoredReport(readingFrom: folder.path("")).everything()
        return nil
      } catch { return error as? StoredReportError }
    }
    var document = sampleDocument
    document.tables = ["frames.csv": 3, "objects.csv": 2]
    try write(try document.json, "report.json")
    try write("scene,value\nroom,0.1\nroom,0.2\n", "frames.csv")
    #expect(everything()?.reason.contains("no run.json") == true)
    try write("{}", "calibration.json")
    #expect(everything() == nil)
    #expect(try StoredReport(readingFrom: folder.path("")).missingTables == ["objects.csv"])
    for (text, reason) in [
      ("scene,value\nroom,0.1\nroom,0.", "2 of the 3 lines"), ("scene,value\n", "1 of the 3 lines"),
      ("scene,value\nroom\nroom,0.2\n", "row 1 has 1 cells"),
    ] {
      try write(text, "frames.csv")
      #expect(everything()?.reason.contains(reason) == true && everything()?.isMissing == false)
    }
    try FileManager.default.removeItem(atPath: folder.path("frames.csv"))
    #expect(
      everything()?.description.hasSuffix(
        "the calibration is incomplete without it; calibrate again, or restore the file") == true)
  }
}
