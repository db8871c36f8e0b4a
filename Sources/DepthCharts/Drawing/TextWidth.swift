/// How much room a text needs. The widths are those of DejaVu Sans, wider than the usual sans-serif fonts,
/// because a figure does not know which font will show it.
enum TextWidth {
  /// Advances of U+0020…U+007E, in thousandths of the size (DejaVu Sans 2.37).
  private static let advances = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636,
    636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295,
    295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838,
    500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521,
    392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
  ]

  /// Width in pixels of a text of this size in pixels.
  static func of(_ text: String, size: Double, isBold: Bool = false) -> Double {
    let thousandths = text.unicodeScalars.reduce(0) { $0 + advance($1) }
    return Double(thousandths) / 1000 * size * (isBold ? 1.14 : 1)
  }

  private static func advance(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7E: advances[Int(scalar.value) - 0x20]
    case 0x2009, 0x202F: 200
    case 0x2070...0x207E, 0xB2, 0xB3, 0xB9: 450
    // East Asian scripts and pictographs fill a square.
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF00...0xFF60, 0x1F000...: 1000
    case _ where scalar.properties.generalCategory == .nonspacingMark: 0
    default: 680
    }
  }

  /// The text, or its beginning with "…", in so many pixels.
  static func shortened(_ text: String, to width: Double, size: Double) -> String {
    guard of(text, size: size) > width else { return text }
    var kept = Substring(text)
    while !kept.isEmpty, of(kept + "…", size: size) > width { kept.removeLast() }
    return kept + "…"
  }

  private static func of(_ text: Substring, size: Double) -> Double { of(String(text), size: size) }

  /// The text in lines of at most so many pixels, broken at spaces; a longer word is shortened.
  static func wrapped(_ text: String, to width: Double, size: Double, isBold: Bool = false) -> [String] {
    let width = isBold ? width / 1.14 : width
    var lines = [String]()
    for word in text.split(whereSeparator: { $0 == " " || $0.isNewline }) {
      if let line = lines.last, of(line + " " + word, size: size) <= width {
        lines[lines.count - 1] = line + " " + word
      } else {
        lines.append(shortened(String(word), to: width, size: size))
      }
    }
    return lines
  }
}
