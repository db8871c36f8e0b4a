import PlainText

/// Texts from data as gnuplot takes them literally.
enum GnuplotText {
  /// A string that holds letters and blanks as they are and all other ASCII as octal codes: gnuplot sees no
  /// quote, backquote, backslash or macro in it. (Between its single quotes, where nothing is expanded, a
  /// text that begins with a quote ends early.) Control characters and ends of lines are shown by their codes.
  static func quoted(_ text: String) -> String {
    var literal = "\""
    for scalar in text.visible.unicodeScalars {
      switch scalar {
      // Digits are not among them: one after a code would count to it.
      case "a"..."z", "A"..."Z", " ": literal.unicodeScalars.append(scalar)
      case _ where scalar.isASCII:
        let code = String(scalar.value, radix: 8)
        literal += "\\" + String(repeating: "0", count: 3 - code.count) + code
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// The same for labels of ticks, which gnuplot takes for formats of numbers.
  static func quotedTick(_ text: String) -> String { quoted(text.replacing("%", with: "%%")) }
}
