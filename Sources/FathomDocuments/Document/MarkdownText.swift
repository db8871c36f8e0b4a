import FathomPlainText

/// Text as GitHub-flavoured Markdown shows it.
enum MarkdownText {
  /// A sentence with **bold** and `code`.
  static func inline(_ sentence: String) -> String { guarded(markup.convert(sentence)) }
  /// Shown as it is.
  static func escape(_ text: String) -> String { guarded(escapedInside(text)) }

  /// A cell of a table, shown as it is: a bar would end it, in code, too.
  static func cell(_ text: String) -> String {
    // Nearly all cells are numbers.
    guard !text.utf8.allSatisfy(isNumeral) else { return text }
    return escapedInside(text).replacing("|", with: "\\|").trimmed
  }

  /// A file that a link leads to.
  static func destination(_ path: String) -> String {
    // By scalars: what is not plain is given by the codes of its bytes, as addresses are.
    path.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.properties.isAlphabetic && scalar.isASCII || "0123456789-._~/+,=@".utf8.contains(byte)
      return isPlain
        ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  private static let markup = InlineMarkup(
    escape: { escapedInside($0) }, code: { code($0) }, bold: ("**", "**"))

  /// Between as many backquotes as it takes: nothing inside has a meaning.
  private static func code(_ text: String) -> String {
    let text = text.visible
    var (run, longest) = (0, 0)
    for letter in text {
      run = letter == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let pad = text.hasPrefix("`") || text.hasSuffix("`") || text.isEmpty ? " " : ""
    return fence + pad + text + pad + fence
  }

  /// Text in the middle of a line. Only what would mean something gets a backslash, so that numbers in brackets and names with
  /// underscores stay legible in the file.
  private static func escapedInside(_ text: String) -> String {
    let words = text.visible.split(separator: " ", omittingEmptySubsequences: false)
    // Addresses would become links, whatever is escaped in them: GitHub looks for them in the finished text.
    return words.map { isAddress($0) ? code(String($0)) : escaped($0) }.joined(separator: " ")
  }

  private static func escaped(_ word: Substring) -> String {
    guard !word.utf8.allSatisfy(isHarmless) else { return String(word) }
    let letters = Array(word)
    var result = ""
    for (index, letter) in letters.enumerated() {
      let next = index + 1 < letters.count ? letters[index + 1] : nil
      let last = index > 0 ? letters[index - 1] : nil
      if means(letter, after: last, before: next) { result.append("\\") }
      result.append(letter)
    }
    return result
  }

  /// Whether a byte is a letter or sign that means nothing, whatever stands beside it.
  private static func isHarmless(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "%"): true
    default: isNumeral(byte)
    }
  }

  /// Whether a letter opens or closes something.
  private static func means(_ letter: Character, after last: Character?, before next: Character?) -> Bool {
    // `<` with a combining accent is one letter to Swift, but a tag to Markdown.
    switch letter.unicodeScalars.first {
    case "`", "*", "~", "$": true
    // Before a letter it is a backslash; behind it, ours would be taken for one that is escaped.
    case "\\": true
    // Inside a word it is part of the word.
    case "_": !(isWord(last) && isWord(next))
    case "<": next.map { $0.isLetter || "/!?".contains($0) } ?? false || letter.unicodeScalars.count > 1
    case "&": next.map { $0.isLetter || $0 == "#" } ?? false
    // Brackets without an address behind them are brackets.
    case "]": next.map { "([:".contains($0) } ?? false
    case "!": next == "["
    default: false
    }
  }

  private static func isNumeral(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"): true
    default: false
    }
  }

  private static func isWord(_ letter: Character?) -> Bool {
    letter.map { $0.isLetter || $0.isNumber } ?? false
  }

  private static func isAddress(_ word: Substring) -> Bool {
    // Each kind of address has one of these letters; most words have none.
    guard word.utf8.contains(where: { ":@wW".utf8.contains($0) }) else { return false }
    let lowered = word.lowercased()
    if ["://", "www.", "mailto:", "xmpp:"].contains(where: { lowered.contains($0) }) { return true }
    let parts = lowered.split(separator: "@", omittingEmptySubsequences: false)
    // "ols@depth" is a method, also at the end of a sentence: the name of a computer has a point with letters behind it.
    return zip(parts, parts.dropFirst()).contains { name, place in
      let labels = place.split(separator: ".", omittingEmptySubsequences: false)
      return !name.isEmpty && isWord(place.first) && labels.dropFirst().contains { isWord($0.first) }
    }
  }

  /// With a backslash before what would make a heading, a list, a quotation or a rule of the line.
  private static func guarded(_ line: String) -> String {
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    if let mark = line.dropFirst(digits.count).first, !digits.isEmpty, mark == "." || mark == ")",
      line.dropFirst(digits.count + 1).first.map(\.isWhitespace) ?? true
    {
      return digits + "\\" + line.dropFirst(digits.count)
    }
    guard let first = line.first else { return line }
    switch first {
    case "#", ">", "=", "|", ":": return "\\" + line
    // A minus sign before a number is one.
    case "-", "+": return line.dropFirst().first.map { $0.isNumber } ?? false ? line : "\\" + line
    default: return line
    }
  }
}

extension String {
  /// Without blanks at its ends.
  fileprivate var trimmed: String {
    var text = drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
