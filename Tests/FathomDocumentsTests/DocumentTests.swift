import Foundation
import FathomTestSupport
import Testing

@testable import FathomDocuments

@Suite("A report as a document")
struct DocumentTests {
  @Test("report.json holds the whole document")
  func json() throws {
    let json = try sampleDocument.json
    #expect(try ReportDocument(json: json) == sampleDocument)
    #expect(json.contains("\"paragraph\":\"Means over every pixel; ↓ lower is better.\""))
    #expect(json.contains("\"low\":0.0171") && json.contains("\"isBest\":true"))
  }

  @Test("a block of an unknown kind is not a document")
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
      MarkdownRenderer.render(sampleDocument), "Tests/FathomDocumentsTests/Golden/document.md")
  }

  @Test func latex() throws {
    try GoldenFile.expect(
      try LatexRenderer.render(sampleDocument, prefix: "my run"),
      "Tests/FathomDocumentsTests/Golden/document.tex"
    )
  }

  @Test("a long table breaks over pages")
  func longTable() throws {
    let table = DisplayTable(
      columns: [.init("n")], rows: (0..<41).map { ["\($0)"] })
    let document = ReportDocument(
      title: "t", sections: [.init("a", "A", [.table(TableBlock("a", caption: "c", table))])])
    let text = try LatexRenderer.render(document, prefix: "x")
    #expect(text.contains("\\begin{longtable}{r}") && text.contains("\n40 \\\\\n"))
  }

  @Test(
    "what has a meaning in LaTeX is shown as it is",
    arguments: [
      ("a_b & 50 % #1", "a\\_\\allowbreak{}b \\& 50 \\% \\#1"),
      ("\\input{x}", "\\textbackslash{}input\\{x\\}"),
      ("δ₁ ≤ 1", "$\\delta_1$ $\\leq$ 1"), ("$|x|$", "\\${}$|$x$|$\\${}"),
      ("~^", "\\textasciitilde{}\\textasciicircum{}"),
    ])
  func latexText(text: String, expected: String) { #expect(LatexText.escape(text) == expected) }

  @Test func sections() {
    #expect(
      sampleDocument.allSections.map(\.id) == ["answer", "findings", "methods", "definitions", "frames"])
  }
}
