import FathomPlainText

/// Text that is HTML already, and XML too. A page is made of this type throughout: literals are markup, and text that is interpolated into
/// them is escaped, so that no name from a data set can reach the page as it is.
struct Markup: Sendable, Equatable, ExpressibleByStringInterpolation {
  let html: String
  /// Markup that was made by this package.
  init(trusted html: String) { self.html = html }
  init(stringLiteral html: String) { self.html = html }
  init(stringInterpolation: StringInterpolation) { html = stringInterpolation.html }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var html = ""
    init(literalCapacity: Int, interpolationCount: Int) { html.reserveCapacity(literalCapacity) }
    mutating func appendLiteral(_ html: String) { self.html += html }
    mutating func appendInterpolation(_ text: String) { html += htmlEscaped(text) }
    mutating func appendInterpolation(_ number: Int) { html += "\(number)" }
    mutating func appendInterpolation(_ markup: Markup, if isShown: Bool = true) {
      if isShown { html += markup.html }
    }
    mutating func appendInterpolation(_ parts: [Markup]) { for part in parts { html += part.html } }
    /// Each with a line break behind it.
    mutating func appendInterpolation(lines: [Markup]) { for line in lines { html += line.html + "\n" } }
    /// A sentence with **bold** and `code` in Markdown's notation; marks without a partner are shown as they are.
    mutating func appendInterpolation(sentence: String) { html += Markup.inline.convert(sentence) }
  }

  /// As a link to a place of the page, where there is such a place.
  func linked(to target: String?, among anchors: Set<String>) -> Markup {
    guard let target, anchors.contains(target) else { return self }
    return ##"<a href="#\##(target)">\##(self)</a>"##
  }

  private static let inline = InlineMarkup(
    escape: { unitsBound(htmlEscaped($0)) }, code: { "<code>\(htmlEscaped($0))</code>" },
    bold: ("<strong>", "</strong>"))

  /// A number and its unit stay on one line.
  private static func unitsBound(_ text: String) -> String {
    text.replacing(/([0-9]) (mm|cm|m|ms|s|px|%)(?![A-Za-z0-9])/) { "\($0.output.1)\u{A0}\($0.output.2)" }
  }
}

/// Text for an element or a quoted attribute of HTML and XML.
///
/// By scalars, not by characters: `<` with a combining accent is one character to Swift, but a tag to a browser.
/// Control characters, which XML forbids, and overrides of the writing direction, which would turn around the text
/// that follows a name, are shown by their codes.
func htmlEscaped(_ text: String) -> String {
  // Most texts of a page are numbers and names.
  guard !text.utf8.allSatisfy(isPlain) else { return text }
  var result = String.UnicodeScalarView()
  result.reserveCapacity(text.utf8.count)
  for scalar in text.visibleLines.unicodeScalars {
    switch scalar {
    case "&": result.append(contentsOf: "&amp;".unicodeScalars)
    case "<": result.append(contentsOf: "&lt;".unicodeScalars)
    case ">": result.append(contentsOf: "&gt;".unicodeScalars)
    case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
    case "'": result.append(contentsOf: "&#39;".unicodeScalars)
    default: result.append(scalar)
    }
  }
  return String(result)
}

/// Whether a byte is a printable ASCII character without a meaning in HTML.
private func isPlain(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
  default: byte >= 0x20 && byte < 0x7f
  }
}
