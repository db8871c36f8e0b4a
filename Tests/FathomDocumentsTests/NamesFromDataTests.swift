import FathomTables
@testable import FathomRunFolders
import Foundation
import FathomPlainText
import FathomTestSupport
import Testing

@testable import FathomDocuments

@Suite("Names from data in every format")
struct NamesFromDataTests {
  static let hostile = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))",
    "![x](http://e.org/i.png)",
    "http://example.org/a", "www.example.org", "someone@example.org", "(a+b@c.d)", "mailto:a@b.c", "a|b",
    "`code`", "``",
    "**bold**",
    "*slanted*", "_slanted_", "~~gone~~", "&lt;script&gt;", "a\\", "# heading", "- item", "1. item",
    "> quote",
    "$x$", "[x]: http://example.org", "[x][y]", "<!-- gone -->", "<\u{301}b>", "\u{1b}[31mred", "\u{202e}txt",
    "two\nlines", "\\input{/etc/passwd}", "%comment", "a--b", "=cmd()", "--- | ---",
  ]

  private func document(_ name: String) -> ReportDocument {
    let table = DisplayTable(
      columns: [.init(name, numeric: false), .init("n")], rows: [[name, "1"], [name, "2"]])
    return ReportDocument(
      title: name, caveat: "Beware of \(name.literal).",
      sections: [
        .init(
          "s", "About \(name.literal)",
          [
            .paragraph("\(name.literal) is `code` and **\(name.literal)**."),
            .list([name.literal, "in \(name.literal)"]),
            .table(TableBlock("t", caption: "Of \(name.literal).", table)),
          ])
      ])
  }

  @Test(
    "Markdown shows every name as it is: no tag, link, picture, code or emphasis comes of it",
    arguments: hostile)
  func markdown(_ name: String) throws {
    let text = MarkdownRenderer.render(document(name))
    let plain = try #require(Self.shown(text))
    // In the title, the caveat, the heading, twice in a sentence, twice in a list, three times in the table.
    #expect(plain.components(separatedBy: name.visible).count - 1 >= 10, "\(text)")
    #expect(!text.unicodeScalars.contains { $0.isInvisible && $0 != "\n" })
  }

  /// What a reader of the page sees; nil where something is not a plain text, bold, code or table of ours.
  private static func shown(_ markdown: String) -> String? {
    var result = ""
    let letters = Array(markdown)
    var index = 0
    func next(_ offset: Int) -> Character? {
      letters.indices.contains(index + offset) ? letters[index + offset] : nil
    }
    while index < letters.count {
      let letter = letters[index]
      switch letter {
      case "\\" where next(1).map { $0.isPunctuation || $0.isSymbol } == true:
        result.append(letters[index + 1])
        index += 2
      case "`":
        let fence = letters[index...].prefix { $0 == "`" }.count
        var end = index + fence
        while end < letters.count, letters[end...].prefix(while: { $0 == "`" }).count != fence {
          end += max(1, letters[end...].prefix { $0 == "`" }.count)
        }
        guard end < letters.count else { return nil }
        var code = String(letters[(index + fence)..<end])
        if code.hasPrefix(" "), code.hasSuffix(" "), code.count > 2 {
          code = String(code.dropFirst().dropLast())
        }
        // In code, too, a bar of a table has a backslash.
        result += code.replacing("\\|", with: "|")
        index = end + fence
      case "*":
        // Only our own bold marks.
        guard next(1) == "*" else { return nil }
        index += 2
      case "<" where next(1).map { $0.isLetter || "/!?".contains($0) } == true: return nil
      case "~", "$": return nil
      default:
        result.append(letter)
        index += 1
      }
    }
    return result
  }

  @Test("a bar ends no cell, in code neither", arguments: ["a|b", "http://a|b", "|"])
  func bars(_ name: String) {
    let table = DisplayTable(columns: [.init("x", numeric: false)], rows: [[name]])
    let row = table.markdown.split(separator: "\n").last.map(String.init) ?? ""
    #expect(row.replacing("\\|", with: "").count(where: { $0 == "|" }) == 2, "\(row)")
  }

  @Test(
    "a cell of letters that are more than one unit long is not cut",
    arguments: ["e\u{301}te\u{301}", "😀😀😀", "部屋"])
  func width(_ name: String) {
    let table = DisplayTable(
      columns: [.init("x", numeric: false), .init("n")], rows: [[name, "1"], ["ab", "23"]])
    for text in [table.plain, table.markdown] {
      #expect(text.contains(name))
      #expect(Set(text.split(separator: "\n").map(\.count)).count <= 2, "\(text)")
    }
  }

  @Test("our own tables keep their brackets, arrows and underscores")
  func untouched() {
    for text in [
      "0.0123 [0.0100, 0.0150]", "mae_m_measured", "RMSE [m] ↓", "ols@depth", "−3.2 mm",
      "ols@depth, lad@log.",
      "a = 0.1·b²",
      "< 0.5 m",
    ] {
      #expect(MarkdownText.cell(text) == text)
      #expect(MarkdownText.inline(text) == text)
    }
    #expect(MarkdownText.inline("**Best**: `spec`, -0.5 m") == "**Best**: `spec`, -0.5 m")
  }

  @Test("LaTeX sees no command, and no dash where a name has two hyphens", arguments: hostile)
  func latex(_ name: String) throws {
    let text = try LatexRenderer.render(document(name), prefix: "p")
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("%") }
    #expect(lines.allSatisfy { !$0.contains("\\input{") && !$0.contains("--b") })
    #expect(!text.unicodeScalars.contains { $0.isInvisible && $0 != "\n" })
    for line in lines where line.contains("%") {
      #expect(line.contains("\\%"), "\(line)")
    }
  }

  @Test(
    "the page shows codes for what cannot be seen", arguments: ["\u{1b}[31mred", "\u{202e}txt", "a\u{85}b"])
  func page(_ name: String) throws {
    let page = try HTMLReport(document(name)) { _ in [] }.render()
    #expect(page.contains(htmlEscaped(name.visible)) && !page.contains(name))
  }

  @Test("JSON holds names exactly, and what a terminal is shown means the same", arguments: hostile)
  func json(_ name: String) throws {
    let document = document(name)
    #expect(try ReportDocument(json: document.json) == document)
    let shown = try document.json.visibleJSON
    #expect(try ReportDocument(json: shown) == document)
    #expect(!shown.unicodeScalars.contains { $0.isInvisible && $0 != "\n" })
  }

  @Test("tables are read back with the true names", arguments: hostile)
  func csv(_ name: String) throws {
    let table = DataTable(
      columns: ["scene", "value"], rows: [[.text(name), .number(-0.5)], [.text("b"), .empty]])
    let read = try ResultTable(table.csv)
    #expect(read.rows == [[name, "-0.5"], ["b", ""]])
    for cell in table.csv.split(separator: ",") { #expect(!cell.hasPrefix("=") && !cell.hasPrefix("@")) }
  }
}
