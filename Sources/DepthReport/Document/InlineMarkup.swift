/// How a format writes a sentence with **bold** and `code` in Markdown's notation; marks without a partner are shown as
/// they are.
struct InlineMarkup: Sendable {
  /// Makes text harmless, leaving `*` and backquotes alone.
  let escape: @Sendable (String) -> String
  /// What encloses code.
  let code: (open: String, close: String)
  /// What encloses bold text.
  let bold: (open: String, close: String)
  /// Two asterisks that mark nothing.
  let asterisks: String

  func convert(_ sentence: String) -> String {
    // Escaping first leaves both marks alone, and nothing that follows can open a tag or command.
    let pieces = escape(sentence).split(separator: "`", omittingEmptySubsequences: false)
    var text = ""
    for (index, piece) in pieces.enumerated() {
      let isLast = index == pieces.count - 1
      switch (index.isMultiple(of: 2), isLast) {
      case (true, _): text += piece
      case (false, false): text += code.open + piece.replacing("**", with: asterisks) + code.close
      case (false, true): text += "`" + piece
      }
    }
    return emboldened(text)
  }

  /// Replaces pairs of `**` that enclose something, the way Markdown reads them.
  private func emboldened(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "**") {
      let inside = rest[start.upperBound...]
      guard let first = inside.first, !first.isWhitespace, let end = Self.closing(in: inside) else {
        result += rest[..<start.upperBound]
        rest = inside
        continue
      }
      result += rest[..<start.lowerBound] + bold.open + inside[..<end.lowerBound] + bold.close
      rest = inside[end.upperBound...]
    }
    return result + rest
  }

  /// The next `**` with something other than a space before it.
  private static func closing(in text: Substring) -> Range<Substring.Index>? {
    text.ranges(of: "**").first { $0.lowerBound > text.startIndex && text[..<$0.lowerBound].last != " " }
  }
}
