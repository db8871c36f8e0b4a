import FathomPlainText

/// Texts in SVG documents.
enum SVGText {
  /// A text from data as content or as the value of an attribute: no markup, ends of lines and control characters by their codes.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.visible.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// An id that differs where names or sizes do, and that a style sheet can name as it is.
  static func identifier(_ name: String, _ size: FigureSize) -> String {
    var id = "\(size.prefix)-"
    for scalar in name.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-": id.unicodeScalars.append(scalar)
      default: id += "_" + String(scalar.value, radix: 16) + "_"
      }
    }
    return id
  }
}
