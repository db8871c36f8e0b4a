/// How a format writes a sentence with **bold** and `code` in Markdown's notation; marks without a partner are shown as
/// they are, and so is a mark behind a backslash: see ``Swift/String/literal``.
struct InlineMarkup: Sendable {
  let escape: @Sendable (String) -> String  // Makes text harmless that is shown as it is.
  let code: @Sendable (String) -> String  // Encloses text in what shows it as code, and makes it harmless.
  let bold: (open: String, close: String)  // What encloses bold text.
  /// Text without any marks, for a terminal.
  static let plain = InlineMarkup(escape: { $0 }, code: { $0 }, bold: ("", ""))

  func convert(_ sentence: String) -> String {
    guard sentence.utf8.contains(where: { "\\`*".utf8.contains($0) }) else {
      return sentence.isEmpty ? "" : escape(sentence)
    }
    var result = ""
    // Neighbouring letters are escaped together: what is harmless may depend on what follows.
    var text = ""
    func flush() {
      if !text.isEmpty { result += escape(text) }
      text = ""
    }
    for piece in Self.paired(Self.pieces(of: sentence)) {
      switch piece {
      case .letter(let letter), .literal(let letter): text.append(letter)
      case .code(let code):
        flush()
        result += self.code(code)
      case .mark(let role):
        switch role {
        case .none: text += "**"
        case .opens:
          flush()
          result += bold.open
        case .closes:
          flush()
          result += bold.close
        }
      }
    }
    flush()
    return result
  }

  private enum Role { case none, opens, closes }

  private enum Piece {
    case letter(Character)
    case literal(Character)  // Behind a backslash.
    case code(String)
    case mark(Role)  // Two asterisks.

    var isBlank: Bool {
      switch self {
      case .letter(let letter): letter.isWhitespace
      case .literal, .code, .mark: false
      }
    }
  }

  private static func pieces(of sentence: String) -> [Piece] {
    let letters = Array(sentence)
    var pieces: [Piece] = []
    var index = 0
    while index < letters.count {
      let next = index + 1 < letters.count ? letters[index + 1] : nil
      switch letters[index] {
      case "\\" where next.map { marks.contains($0) } == true:
        pieces.append(.literal(letters[index + 1]))
        index += 2
      case "`":
        if let end = letters[(index + 1)...].firstIndex(of: "`") {
          pieces.append(.code(String(letters[(index + 1)..<end])))
          index = end + 1
        } else {
          pieces.append(.letter("`"))
          index += 1
        }
      case "*" where next == "*":
        pieces.append(.mark(.none))
        index += 2
      default:
        pieces.append(.letter(letters[index]))
        index += 1
      }
    }
    return pieces
  }

  static let marks: Set<Character> = ["\\", "`", "*"]  // What a backslash takes the meaning from.

  /// Finds pairs of `**` that enclose something, the way Markdown reads them.
  private static func paired(_ pieces: [Piece]) -> [Piece] {
    var pieces = pieces
    var start = 0
    while let opens = pieces[start...].firstIndex(where: isMark) {
      start = opens + 1
      guard start < pieces.count, !pieces[start].isBlank else { continue }
      let closing = pieces.indices.dropFirst(start + 1).first {
        isMark(pieces[$0]) && !pieces[$0 - 1].isBlank
      }
      // What closes nothing here closes nothing behind it.
      guard let closes = closing else { break }
      (pieces[opens], pieces[closes]) = (.mark(.opens), .mark(.closes))
      start = closes + 1
    }
    return pieces
  }

  private static func isMark(_ piece: Piece) -> Bool {
    if case .mark = piece { true } else { false }
  }
}

extension String {
  /// A name as part of a sentence of a ``ReportDocument``: what would be a mark there has a backslash in front.
  package var literal: String {
    guard contains(where: InlineMarkup.marks.contains) else { return self }
    return String(flatMap { InlineMarkup.marks.contains($0) ? ["\\", $0] : [$0] })
  }

  /// A command or a name as code in a sentence of a ``ReportDocument``. Nothing has a meaning inside; what holds the mark itself is
  /// shown without being code.
  package var code: String { contains("`") ? literal : "`\(self)`" }
  /// A sentence of a ``ReportDocument`` without its marks, for a terminal.
  public var withoutMarks: String { InlineMarkup.plain.convert(self) }
}
