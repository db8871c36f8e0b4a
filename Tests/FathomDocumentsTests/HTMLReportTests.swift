import FathomTables
import Foundation
import FoundationXML
import FathomTestSupport
import Testing

@testable import FathomDocuments

@Suite("A report as a page")
struct HTMLReportTests {
  /// A GIF of 2 × 1 pixels, up to its size.
  static let gif: [UInt8] = [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 2, 0, 1, 0, 0, 0, 0]
  static let svg = """
    <?xml version="1.0"?>
    <!-- drawn --><svg xmlns="http://www.w3.org/2000/svg" width="720pt" height="300" viewBox="0 0 720 300.5">
    <g id="figure-error"/></svg>
    """

  private func page(_ document: ReportDocument) throws -> String {
    try HTMLReport(document) { $0.hasSuffix(".svg") ? Array(Self.svg.utf8) : Self.gif }.render()
  }

  @Test("is well-formed and holds every block, in order")
  func blocks() throws {
    let text = try page(sampleDocument)
    let elements = try PageElements(text)
    #expect(
      elements.headings == [
        "desk & chair: accuracy", "Verdict", "Findings", "Methods", "Definitions", "Frames", "worst desk/1",
      ])
    #expect(elements.names.filter { $0 == "table" }.count == 2)
    #expect(
      elements.text.contains("One scene only.") && elements.text.contains("0.0184 [0.0171, 0.0203]") == false)
    #expect(text.contains("<strong>0.01840</strong><span class=\"hidden\"> (best)</span>"))
    #expect(text.contains("<td class=\"number none\"><span aria-hidden=\"true\">–</span>"))
    #expect(text.contains("<figcaption>auto [best] 1.2\u{A0}mm. <span class=\"numbers\">"))
    #expect(text.contains("src=\"data:image/gif;base64,R0lGODlhAgABAAAAAA==\" width=\"2\" height=\"1\""))
    #expect(text.contains("viewBox=\"0 0 720 300.5\" role=\"img\" aria-label=\"Error\""))
    #expect(!text.contains("<!-- drawn") && !text.contains("<?xml"))
  }

  @Test("what a page shows, letter by letter")
  func golden() throws {
    let text = try page(sampleDocument)
    let start = try #require(text.range(of: "<body>")), end = try #require(text.range(of: "<script"))
    try GoldenFile.expect(
      String(text[start.lowerBound..<end.lowerBound]), "Tests/FathomDocumentsTests/Golden/document.html")
  }

  @Test("a chart is shown in both drawings where both are there, each for its own room")
  func drawings() throws {
    func sizes(_ narrow: String?) throws -> [String] {
      let figure = FigureBlock(name: "error", title: "Error", alt: "a", narrowFile: narrow)
      let document = ReportDocument(title: "t", sections: [.init("s", "s", [.figure(figure)])])
      #expect(document.files == ["figures/error.svg"] + (narrow.map { [$0] } ?? []))
      return try page(document).matches(of: /<div class="scroll ([a-z]+)"/).map { String($0.1) }
    }
    #expect(try sizes("figures/error.narrow.svg") == ["wide", "narrow"])
    // Documents of older versions have one.
    #expect(try sizes(nil) == ["only"])
  }

  @Test("of many methods eight stay in the summary of a printed page: those of the chart and the first")
  func summary() throws {
    var document = sampleDocument
    let names = (1...10).map { "m\($0)" } + ["auto"]
    document.sections[0].blocks.append(.list(names.map { "`\($0)`: better." }))
    let text = try page(document)
    for (name, isBeyond) in names.map({ ($0, ["m8", "m9", "m10"].contains($0)) }) {
      #expect(text.contains("<li\(isBeyond ? " class=\"beyond\"" : "")><code>\(name)</code>"), "\(name)")
    }
    #expect(!(try page(sampleDocument)).contains("class=\"beyond\""))
  }

  @Test("names of columns stand in the style of a table, where quotes cannot end them")
  func labels() {
    let table = DisplayTable(
      columns: [.init("a", numeric: false), .init("a \"\u{301}b\\", numeric: false)], rows: [["1", "2"]])
    let page = TablePage(TableBlock("t", caption: "", table)).markup.html
    #expect(page.contains("; --head-2: &quot;a \\&quot;\u{301}b\\\\&quot;\">"))
    #expect(TablePage.labelRules(columns: 2).contains("td:nth-child(2)::before"))
    #expect(TablePage.labelRules(columns: 1).isEmpty)
  }

  @Test("equal documents give equal bytes")
  func repeatable() throws { #expect(try page(sampleDocument) == page(sampleDocument)) }

  @Test("asks for nothing from elsewhere: every address is within the page or holds its data")
  func selfContained() throws {
    let elements = try PageElements(try page(sampleDocument))
    #expect(!elements.addresses.isEmpty)
    #expect(elements.addresses.allSatisfy { $0.hasPrefix("#") || $0.hasPrefix("data:") })
    #expect(elements.policy.contains("default-src 'none'") && elements.policy.contains("script-src 'sha256-"))
  }

  @Test(
    "names are shown as they are and do nothing",
    arguments: [
      "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
      "\"\u{301} onmouseover=\"alert(1)", "<\u{338}script>", "</section></main><h1>gone</h1>", "חדר 3", "🛋️ 👩‍👩‍👧",
      "{{title}} {{{script}}}", "]]> <!-- -->", "&lt;b&gt; & &amp;",
    ])
  func inert(name: String) throws {
    let document = ReportDocument(
      title: name, caveat: name,
      sections: [
        .init(
          "a", name,
          [
            .paragraph(name), .list([name, "**\(name)** `\(name)`"]),
            .table(
              TableBlock(
                "t", caption: name,
                DisplayTable(columns: [.init(name, numeric: false), .init(name)], rows: [[name, name]]))),
            .figure(FigureBlock(name: "f", title: name, alt: name)),
            .gallery(
              GalleryBlock(
                frames: [
                  .init(
                    rank: name, title: name, caption: name,
                    pictures: [.init(role: name, file: "gallery/a.gif", alt: name)])
                ],
                scales: [.init(roles: [name], title: name, file: "gallery/b.gif")])),
          ])
      ])
    let elements = try PageElements(try page(document))
    #expect(
      elements.names.filter { $0 == "script" }.count == 1 && elements.names.filter { $0 == "h1" }.count == 1)
    #expect(elements.attributes.allSatisfy { !$0.hasPrefix("on") })
    #expect(elements.headings[0] == name && elements.alternatives.contains(name))
  }

  @Test("control characters and overrides of the writing direction are shown by their codes")
  func controls() {
    let shown = htmlEscaped("a\u{0}b\u{1B}c\u{202E}d\u{2066}e\tf\ng\u{FFFE}")
    #expect(shown == "a\\u{0}b\\u{1b}c\\u{202e}d\\u{2066}e\tf\ng\\u{fffe}")
  }

  @Test(
    "a sentence may be bold and hold code; marks without a partner are shown",
    arguments: [
      ("**auto** is `a<b`", "<strong>auto</strong> is <code>a&lt;b</code>"), ("2 ** 3 ** 4", "2 ** 3 ** 4"),
      ("a `b", "a `b"), ("**a", "**a"), ("`**a**`", "<code>**a**</code>"),
      ("**a `b` c**", "<strong>a <code>b</code> c</strong>"),
      ("30.8 mm, 44 % of 6 methods, `5 m`", "30.8\u{A0}mm, 44\u{A0}% of 6 methods, <code>5 m</code>"),
    ])
  func sentences(sentence: String, expected: String) {
    #expect(("\(sentence: sentence)" as Markup).html == expected)
  }

  @Test("long tables are folded away, definitions sooner than results")
  func folded() {
    func isLong(_ role: TableBlock.Role, rows: Int) -> Bool {
      let table = DisplayTable(columns: [.init("n")], rows: (0..<rows).map { ["\($0)"] })
      return TablePage(TableBlock("t", caption: "c", role: role, table)).isLong
    }
    #expect(!isLong(.reference, rows: 14) && isLong(.reference, rows: 15))
    #expect(!isLong(.result, rows: 40) && isLong(.result, rows: 41))
  }

  @Test("a file that is missing, or is not a picture or chart, is named")
  func faults() {
    #expect(throws: CocoaError.self) {
      try HTMLReport(sampleDocument) { _ in throw CocoaError(.fileNoSuchFile) }.render()
    }
    let error = #expect(throws: PageError.self) {
      try HTMLReport(sampleDocument) { $0.hasSuffix(".svg") ? [1, 2, 3] : Self.gif }.render()
    }
    #expect(error?.file == "figures/error.svg" && error?.description.contains("report.html") == true)
  }
}

/// What an XML parser sees in a page.
private final class PageElements: NSObject, XMLParserDelegate {
  private(set) var names: [String] = [], attributes: [String] = [], addresses: [String] = []
  private(set) var alternatives: [String] = [], headings: [String] = []
  private(set) var policy = "", text = ""
  private var isInHeading = false

  init(_ page: String) throws {
    super.init()
    let parser = XMLParser(data: Data(page.utf8))
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.propertyListReadCorrupt) }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes values: [String: String]
  ) {
    names.append(name)
    attributes += values.keys
    addresses += ["href", "src", "xlink:href"].compactMap { values[$0] }
    if let alternative = values["alt"] { alternatives.append(alternative) }
    if values["http-equiv"] == "Content-Security-Policy" { policy = values["content"] ?? "" }
    if Self.isHeading(name) {
      isInHeading = true
      headings.append("")
    }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?)
  {
    if Self.isHeading(name) { isInHeading = false }
  }

  private static func isHeading(_ name: String) -> Bool {
    name.count == 2 && name.hasPrefix("h") && name.last?.isNumber == true
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    text += string
    if isInHeading { headings[headings.count - 1] += string }
  }
}
