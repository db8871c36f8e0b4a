enum FilePatternPart {
  case letters([UInt8]), star
  /// The words of braces, which may hold stars.
  case either([[FilePatternPart]])

  static func parts(of text: ArraySlice<UInt8>) -> [FilePatternPart] {
    var parts: [FilePatternPart] = [], rest = text
    while let brace = rest.firstIndex(of: UInt8(ascii: "{")),
      let close = rest[brace...].firstIndex(of: UInt8(ascii: "}"))
    {
      parts += lettersAndStars(rest[..<brace])
      let words = rest[(brace + 1)..<close].split(
        separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      parts.append(.either(words.map(lettersAndStars)))
      rest = rest[(close + 1)...]
    }
    return parts + lettersAndStars(rest)
  }

  private static func lettersAndStars(_ text: ArraySlice<UInt8>) -> [FilePatternPart] {
    var parts: [FilePatternPart] = [], rest = text
    while let first = rest.first {
      if first == UInt8(ascii: "*") {
        parts.append(.star)
        rest = rest.drop { $0 == first }
      } else {
        let letters = rest.prefix { $0 != UInt8(ascii: "*") }
        parts.append(.letters(Array(letters)))
        rest = rest[letters.endIndex...]
      }
    }
    return parts
  }

  static func lowered(_ letter: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= letter ? letter | 0x20 : letter
  }
}
