internal import DepthCharts

/// A chart as a part of the page: the SVG's content in an element of the page's own, which scales with the text.
struct EmbeddedChart: Sendable, Equatable {
  let markup: Markup  // One `svg` element.

  /// - Parameter bytes: An SVG file whose root has a `viewBox`; ids in it must be unique in the page.
  /// - Parameter title: What a screen reader calls it.
  /// - Parameter file: For errors.
  /// - Throws: `PageError` if the bytes are not such an SVG, or hold what our charts do not: a page may be made of any run.
  init(_ bytes: [UInt8], title: String, file: String) throws(PageError) {
    // By bytes, because charts are long and what is looked for is ASCII.
    guard String(validating: bytes, as: UTF8.self) != nil else { throw PageError(file, "it is not UTF-8") }
    // Before the root may stand a declaration, a DOCTYPE and comments, and a page may hold none of them here.
    guard let start = Self.place(of: "<svg", in: bytes.indices, of: bytes),
      let end = bytes[(start + 4)...].firstIndex(of: UInt8(ascii: ">")),
      let close = Self.place(of: "</svg>", in: bytes.indices.reversed(), of: bytes), end < close
    else { throw PageError(file, "it is not an SVG file") }
    let root = String(decoding: bytes[(start + 4)..<end], as: UTF8.self)[...]
    guard let box = Self.attribute("viewBox", of: root) else {
      throw PageError(file, "its root has no viewBox")
    }
    let size = box.split { $0 == " " || $0 == "," }.compactMap { Double($0) }
    guard size.count == 4, size[2] > 0, size[3] > 0 else {
      throw PageError(file, "its viewBox is not four numbers")
    }
    if let problem = SVGVocabulary.problem(inside: bytes[(end + 1)..<close]) {
      throw PageError(file, "it is not a chart of fathom: \(problem)")
    }
    let stored = String(decoding: bytes[(end + 1)..<close], as: UTF8.self)
    // In the page itself, links lead to places of the page.
    let (away, links) = ("<a href=\"\(ChartTarget.page)#", stored.contains("<a href=\"\(ChartTarget.page)#"))
    let content = links ? stored.replacing(away, with: "<a href=\"#") : stored
    // What is one picture to a screen reader cannot hold links.
    let role = links ? "group" : "img"
    markup = """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
      width="\(Self.short(size[2]))" height="\(Self.short(size[3]))" \
      viewBox="\(size.map(Self.short).joined(separator: " "))" role="\(role)" \
      aria-label="\(title)">\(Markup(trusted: content))</svg>
      """
  }

  /// The first of these places at which the letters stand.
  private static func place(
    of letters: StaticString, in places: some Sequence<Int>, of bytes: [UInt8]
  ) -> Int? {
    letters.withUTF8Buffer { letters in
      places.first { bytes[$0] == letters[0] && bytes[$0...].starts(with: letters) }
    }
  }

  private static func short(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
  }

  private static func attribute(_ name: String, of root: Substring) -> Substring? {
    for quote in ["\"", "'"] {
      guard let start = root.firstRange(of: " \(name)=\(quote)") else { continue }
      return root[start.upperBound...].prefix { String($0) != quote }
    }
    return nil
  }
}
