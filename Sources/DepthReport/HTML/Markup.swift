import Mustache
import FathomPlainText

/// Text that is HTML already, and XML too. What the page's templates are given is this type throughout, so that no
/// name from a data set can reach the page as it is.
struct Markup: Sendable, Equatable, MustacheCustomRenderable {
  let renderText: String
  let isNull = false
  /// Markup that was made by this package.
  init(trusted html: String) { renderText = html }
  /// Any text, shown as it is.
  init(_ text: String) { renderText = htmlEscaped(text) }
  /// A sentence with **bold** and `code` in Markdown's notation; marks without a partner are shown as they are.
  init(sentence: String) { renderText = Self.inline.convert(sentence) }

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
