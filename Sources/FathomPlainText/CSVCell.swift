/// A cell of a CSV file as it is written and read back.
///
/// A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@`, or with blanks that it drops before them, for a formula,
/// and runs it. Text that begins so, as names from data may, gets an apostrophe in front, the spreadsheets' own mark of text;
/// reading takes it away again. Text that begins with apostrophes before such a sign gets one more, so that every
/// name comes back as it was. Numbers stay numbers: `-0.5` is written as it is.
///
/// A terminal that shows the file obeys control characters, and marks of the writing direction turn around what follows. Both, and
/// all else that cannot be seen, ends of lines included, are written as codes, `\u{1b}`; so is the backslash of a text that holds such
/// a code itself. Reading takes codes back.
public enum CSVCell {
  /// A field of a row, RFC 4180: neutralised, and quoted where it must be.
  public static func field(_ text: String) -> String {
    // Nearly all names are letters, digits and points between them: nothing is to be done.
    guard !text.utf8.allSatisfy(isHarmless) else { return text }
    let text = coded(text)
    let neutral = isFormula(text.unicodeScalars[...]) && !isNumber(text) ? "'" + text : text
    // By scalars: a comma with an accent is another character than a comma.
    guard neutral.unicodeScalars.contains(where: needsQuotes) else { return neutral }
    return "\"" + neutral.replacing("\"", with: "\"\"") + "\""
  }

  /// The text that ``field(_:)`` was given, of a cell that is unquoted already.
  public static func text(_ cell: String) -> String {
    guard cell.utf8.first == UInt8(ascii: "'"), isFormula(cell.unicodeScalars.dropFirst()) else {
      return uncoded(cell)
    }
    return uncoded(String(cell.unicodeScalars.dropFirst()))
  }

  /// With codes for what cannot be seen, and for the backslash of what would pass for one.
  private static func coded(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != backslash }) else { return text }
    var (rest, coded) = (text.unicodeScalars[...], "")
    while let scalar = rest.popFirst() {
      let isCodeItself = scalar == "\\" && rest.starts(with: "u{".unicodeScalars)
      if scalar.isInvisible || isCodeItself {
        coded += scalar.code
      } else {
        coded.unicodeScalars.append(scalar)
      }
    }
    return coded
  }

  private static func uncoded(_ cell: String) -> String {
    guard cell.utf8.contains(backslash) else { return cell }
    return cell.replacing(/\\u\{([0-9a-f]{1,6})\}/) { code in
      UInt32(code.output.1, radix: 16).flatMap { Unicode.Scalar($0) }.map { String($0) }
        ?? String(code.output.0)
    }
  }

  private static let backslash = UInt8(ascii: "\\")

  /// Whether a byte means nothing, wherever it stands.
  private static func isHarmless(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: " "):
      true
    default: false
    }
  }

  private static func needsQuotes(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ",", "\"": true
    default: false
    }
  }

  /// Whether a spreadsheet would calculate it once its apostrophes are gone. The wide forms count, too: spreadsheets set up for
  /// East Asian languages take them for the narrow ones.
  private static func isFormula(_ text: Substring.UnicodeScalarView) -> Bool {
    switch text.drop(while: { $0 == "'" }).first {
    case "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠": true
    default: false
    }
  }

  /// Digits with sign, point and exponent, and infinity as numpy and pandas read it.
  private static func isNumber(_ text: String) -> Bool {
    guard let value = Double(text) else { return false }
    // Swift also reads "0x1p-3" and "nan(payload)".
    return text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
      || (value.isInfinite && text == "-inf")
  }
}
