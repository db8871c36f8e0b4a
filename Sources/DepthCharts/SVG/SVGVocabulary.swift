private import FathomPlainText

/// What the SVG of a figure is made of: the elements and attributes that ``SVGElement`` writes, and how it writes them.
///
/// A stored figure becomes a part of a page, and may be anybody's. What is not in this list is refused, whatever it would do: scripts,
/// handlers, styles of other elements, links away, foreign elements, entities, comments, instructions.
public enum SVGVocabulary {
  private static let elements: Set = [
    "title", "desc", "style", "g", "rect", "line", "circle", "path", "text", "a", "linearGradient", "stop",
  ]
  /// Elements that hold text, and nothing else.
  private static let texts: Set = ["title", "desc", "style", "text"]
  /// Attributes of numbers, words and paints; `data-…` holds any text.
  private static let attributes: Set = [
    "class", "id", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "d", "width", "height", "transform",
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stop-color", "offset",
    "font-family", "font-size", "font-weight", "text-anchor", "shape-rendering", "tabindex",
  ]

  struct Refusal: Error { let reason: String }

  /// Why what stands between the tags of a figure's root is not such an SVG; nil where it is.
  public static func problem(inside content: some Collection<UInt8>) -> String? {
    var reader = Reader(Array(content))
    do throws(Refusal) {
      try reader.read()
      return nil
    } catch {
      return error.reason
    }
  }

  /// Goes through the content from its beginning to its end.
  private struct Reader {
    private let bytes: [UInt8]
    private var place = 0, open: [String] = []
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() throws(Refusal) {
      while place < bytes.count {
        let text = try text(upTo: UInt8(ascii: "<"))
        if let last = open.last, texts.contains(last) {
          guard last != "style" || text.isRules else { throw Refusal(reason: "its style is not a chart's") }
        } else if !text.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x0A }) {
          throw Refusal(reason: "it has text outside of its texts")
        }
        guard place < bytes.count else { break }
        place += 1
        try bytes[safe: place] == UInt8(ascii: "/") ? close() : element()
      }
      guard open.isEmpty else { throw Refusal(reason: "its element '\(open[open.count - 1])' is not closed") }
    }

    private mutating func close() throws(Refusal) {
      place += 1
      let name = word()
      guard let last = open.popLast(), last == name, take(">") else {
        throw Refusal(reason: "its element '\(name)' is closed in the wrong place")
      }
    }

    private mutating func element() throws(Refusal) {
      let name = word()
      guard elements.contains(name) else {
        throw Refusal(reason: name.isEmpty ? "it holds more than elements" : "it has an element '\(name)'")
      }
      if let last = open.last, texts.contains(last) {
        throw Refusal(reason: "its element '\(last)' holds more than text")
      }
      while take(" ") { try attribute(of: name) }
      let isEmpty = take("/")
      guard take(">") else { throw Refusal(reason: "its element '\(name)' is not written as charts are") }
      guard isEmpty || open.count < 64 else { throw Refusal(reason: "its elements lie too deep") }
      if !isEmpty { open.append(name) }
    }

    private mutating func attribute(of element: String) throws(Refusal) {
      let name = word()
      let isKnown =
        attributes.contains(name) || name.hasPrefix("data-") || name == "href" && element == "a"
        || name == "xml:space"
      guard isKnown, take("="), take("\"") else {
        throw Refusal(reason: "its element '\(element)' has an attribute '\(name)'")
      }
      let value = try text(upTo: UInt8(ascii: "\""))
      guard take("\""), name.hasPrefix("data-") || value.isValue(of: name) else {
        throw Refusal(reason: "its attribute '\(name)' is not a chart's")
      }
    }

    private mutating func take(_ letter: Unicode.Scalar) -> Bool {
      guard bytes[safe: place] == UInt8(ascii: letter) else { return false }
      place += 1
      return true
    }

    /// Letters, digits, hyphens and colons.
    private mutating func word() -> String {
      let rest = bytes[place...].prefix {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: ":"):
          true
        default: false
        }
      }
      place += rest.count
      return String(decoding: rest.prefix(40), as: UTF8.self)
    }

    /// Text with none but the writer's own entities.
    private mutating func text(upTo end: UInt8) throws(Refusal) -> String {
      let found = bytes[place...].prefix { $0 != end }
      place += found.count
      guard !found.contains(where: { $0 < 0x20 && $0 != 0x0A || $0 == UInt8(ascii: "<") }) else {
        throw Refusal(reason: "its text holds what charts write by codes")
      }
      var rest = found
      while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
        rest = rest[(mark + 1)...]
        guard entities.contains(where: { rest.starts(with: $0) }) else {
          throw Refusal(reason: "it has an entity that charts do not have")
        }
      }
      let text = String(decoding: found, as: UTF8.self)
      guard
        found.allSatisfy({ $0 < 0x7F })
          || !text.unicodeScalars.contains(where: { $0.isInvisible && $0 != "\n" })
      else { throw Refusal(reason: "its text holds what charts write by codes") }
      return text
    }
  }

  private static let entities = ["amp;", "lt;", "gt;", "quot;", "#39;"].map { Array($0.utf8) }
}

extension String {
  /// Whether it is what ``SVGDocument`` writes as a style sheet: colours of the page for parts of the figure.
  fileprivate var isRules: Bool {
    wholeMatch(
      of:
        /@supports \(fill:var\(--a\)\)\{(#[A-Za-z0-9_-]+ \.[a-z0-9-]+\{(fill|stroke):var\(--chart-[a-z0-9-]+,#[0-9A-Fa-f]{3,8}\)\})+\}/
    ) != nil
  }

  /// Whether an attribute has it of a chart: numbers and words, and a paint or a link within the page only.
  fileprivate func isValue(of attribute: String) -> Bool {
    switch attribute {
    case "href": wholeMatch(of: /(\.\.\/report\.html)?#[A-Za-z0-9_-]+/) != nil
    case "fill" where hasPrefix("url("): wholeMatch(of: /url\(#[A-Za-z0-9_-]+\)/) != nil
    case "id": wholeMatch(of: /[A-Za-z0-9_-]+/) != nil
    case "xml:space": self == "preserve"
    // By bytes, because paths are long.
    default: utf8.allSatisfy(Self.isPlain) && !lowercased().contains("url")
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: " .,()#%'_-".utf8.contains(byte)
    }
  }
}

extension [UInt8] { fileprivate subscript(safe place: Int) -> UInt8? { place < count ? self[place] : nil } }
