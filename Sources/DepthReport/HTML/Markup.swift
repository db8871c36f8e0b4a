import Mustache

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
  init(sentence: String) {
    // Escaping first leaves both marks alone, and nothing that follows can open a tag.
    let pieces = htmlEscaped(sentence).split(separator: "`", omittingEmptySubsequences: false)
    var html = ""
    for (index, piece) in pieces.enumerated() {
      let isLast = index == pieces.count - 1
      switch (index.isMultiple(of: 2), isLast) {
      case (true, _): html += piece
      case (false, false): html += "<code>\(piece.replacing("**", with: "&#42;&#42;"))</code>"
      case (false, true): html += "`" + piece
      }
    }
    renderText = Self.bold(html)
  }

  /// Replaces pairs of `**` that enclose something, the way Markdown reads them.
  private static func bold(_ html: String) -> String {
    var result = ""
    var rest = html[...]
    while let start = rest.firstRange(of: "**") {
      let inside = rest[start.upperBound...]
      guard let first = inside.first, !first.isWhitespace, let end = closing(in: inside) else {
        result += rest[..<start.upperBound]
        rest = inside
        continue
      }
      result += rest[..<start.lowerBound] + "<strong>" + inside[..<end.lowerBound] + "</strong>"
      rest = inside[end.upperBound...]
    }
    return result + rest
  }

  /// The next `**` with something other than a space before it.
  private static func closing(in text: Substring) -> Range<Substring.Index>? {
    text.ranges(of: "**").first { $0.lowerBound > text.startIndex && text[..<$0.lowerBound].last != " " }
  }
}

/// Text for an element or a quoted attribute of HTML and XML.
///
/// By scalars, not by characters: `<` with a combining accent is one character to Swift, but a tag to a browser.
/// Control characters, which XML forbids, and overrides of the writing direction, which would turn around the text
/// that follows a name, become the replacement character.
func htmlEscaped(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  result.reserveCapacity(text.utf8.count)
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result.append(contentsOf: "&amp;".unicodeScalars)
    case "<": result.append(contentsOf: "&lt;".unicodeScalars)
    case ">": result.append(contentsOf: "&gt;".unicodeScalars)
    case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
    case "'": result.append(contentsOf: "&#39;".unicodeScalars)
    case "\t", "\n": result.append(scalar)
    case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}",
      "\u{FFFE}"..."\u{FFFF}":
      result.append("\u{FFFD}")
    default: result.append(scalar)
    }
  }
  return String(result)
}
