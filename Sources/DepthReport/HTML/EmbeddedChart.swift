/// A chart as a part of the page: the SVG's content in an element of the page's own, which scales with the text.
struct EmbeddedChart: Sendable, Equatable {
  /// One `svg` element.
  let markup: Markup

  /// - Parameters:
  ///   - bytes: An SVG file whose root has a `viewBox`; ids in it must be unique in the page.
  ///   - title: What a screen reader calls it.
  ///   - file: For errors.
  /// - Throws: `PageError` if the bytes are no such SVG.
  init(_ bytes: [UInt8], title: String, file: String) throws(PageError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw PageError(file, "it is not UTF-8")
    }
    // Before the root may stand a declaration, a DOCTYPE and comments, none of which a page may hold here.
    guard let start = text.firstRange(of: "<svg"), let end = text[start.upperBound...].firstIndex(of: ">"),
      let close = text.ranges(of: "</svg>").last, end < close.lowerBound
    else { throw PageError(file, "it is no SVG") }
    let root = text[start.upperBound..<end]
    guard let box = Self.attribute("viewBox", of: root) else {
      throw PageError(file, "its root has no viewBox")
    }
    let size = box.split { $0 == " " || $0 == "," }.compactMap { Double($0) }
    guard size.count == 4, size[2] > 0, size[3] > 0 else {
      throw PageError(file, "its viewBox is not four numbers")
    }
    let content = text[text.index(after: end)..<close.lowerBound]
    markup = Markup(
      trusted: """
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
        width="\(Self.short(size[2]))" height="\(Self.short(size[3]))" \
        viewBox="\(size.map(Self.short).joined(separator: " "))" role="img" \
        aria-label="\(htmlEscaped(title))">\(content)</svg>
        """)
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
