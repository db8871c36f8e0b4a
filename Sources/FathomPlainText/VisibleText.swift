/// Text from data as people read it: what has no shape, or turns around what follows, is written out.
extension String {
  /// A name in one line: a control character, an end of a line or an override of the writing direction is shown by its code,
  /// `\u{1b}`. All else stays as it is.
  ///
  /// A terminal obeys escape sequences, and a name that begins a line of its own could pass for a message of ours.
  public var visible: String { visible(keepingLines: false) }
  /// The same for text of several lines, whose ends and tabulators stay.
  public var visibleLines: String { visible(keepingLines: true) }

  /// JSON that means the same, with codes for what cannot be seen. Outside its strings JSON has ends of lines only.
  public var visibleJSON: String {
    // Nearly all of it is ASCII that can be seen, and bytes tell it soonest.
    guard !utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f || $0 == 0x0a }),
      unicodeScalars.contains(where: { $0.isInvisible && $0 != "\n" && $0 != "\t" })
    else { return self }
    return unicodeScalars.map { scalar in
      guard scalar.isInvisible, scalar != "\n", scalar != "\t" else { return String(scalar) }
      return UTF16.encode(scalar)?.map { unit in
        let code = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - code.count) + code
      }.joined() ?? ""
    }.joined()
  }

  private func visible(keepingLines: Bool) -> String {
    func stays(_ scalar: Unicode.Scalar) -> Bool {
      !scalar.isInvisible || (keepingLines && (scalar == "\n" || scalar == "\t"))
    }
    // Nearly always nothing is to be done, and bytes tell it soonest.
    guard !utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else { return self }
    guard !unicodeScalars.allSatisfy(stays) else { return self }
    var shown = ""
    for scalar in unicodeScalars {
      if stays(scalar) { shown.unicodeScalars.append(scalar) } else { shown += scalar.code }
    }
    return shown
  }
}

extension Unicode.Scalar {
  /// Whether a reader cannot see it and it changes what they see: control characters, ends of lines and paragraphs, marks and
  /// overrides of the writing direction, blanks without width, tags, and what XML forbids.
  ///
  /// The joiners of scripts and pictograms (U+200C, U+200D) are part of what one sees, and are not among these.
  public var isInvisible: Bool {
    switch value {
    case 0x20...0x7e: false
    case 0x00...0x1f, 0x7f...0x9f, 0x2028, 0x2029: true
    case 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    case 0xad, 0x180e, 0x200b, 0x2060...0x2065, 0x206a...0x206f, 0xfeff, 0xfff9...0xfffb: true
    case 0xe0000...0xe007f: true
    default: properties.isNoncharacterCodePoint
    }
  }

  /// "\u{1b}": the way Swift, JavaScript and Rust write it.
  public var code: String { "\\u{\(String(value, radix: 16))}" }
}
