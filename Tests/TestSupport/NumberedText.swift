import Foundation

/// A text as its words and the numbers among them, so that two texts of the same computation can be compared on processors
/// and libraries that round otherwise. The rules are those of `Tests/Committed/check_committed.py`.
public struct NumberedText {
  /// The text with every number replaced by `0`, without white space, which follows the width of numbers.
  public let words: [String]
  public let numbers: [String]

  public init(_ text: String) {
    let pattern = /(?:[-+−])?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/
    var (words, numbers, rest) = ("", [String](), text.startIndex)
    for match in text.matches(of: pattern) {
      var number = String(match.output)
      words += text[rest..<match.range.lowerBound]
      // A sign after a letter or digit joins words: "room-01".
      if let first = number.first, !first.isNumber, let before = words.last,
        before.isLetter || before.isNumber || before == "." || before == ")" || before == "_"
      {
        words.append(number.removeFirst())
      }
      words += "0"
      numbers.append(number.replacingOccurrences(of: "−", with: "-"))
      rest = match.range.upperBound
    }
    words += text[rest...]
    self.words = words.split(whereSeparator: \.isWhitespace).map(String.init)
    self.numbers = numbers
  }

  /// Whether words and whole numbers are equal, and other numbers to 1e-9 (1e-12 at zero).
  ///
  /// - Parameter isRounded: Numbers of fewer than twelve digits are rounded to be read: a unit of the last place shown counts
  ///   as equal, because a value between two roundings may go either way.
  public func agrees(with other: NumberedText, isRounded: Bool) -> Bool {
    words == other.words && numbers.count == other.numbers.count
      && zip(numbers, other.numbers).allSatisfy { Self.agree($0, $1, isRounded: isRounded) }
  }

  private static func agree(_ a: String, _ b: String, isRounded: Bool) -> Bool {
    guard a != b else { return true }
    guard let x = Double(a), let y = Double(b) else { return false }
    if isWhole(a), isWhole(b) { return x == y }
    let difference = abs(x - y)
    if difference <= max(1e-12, 1e-9 * max(abs(x), abs(y))) { return true }
    guard isRounded, min(digits(a), digits(b)) < 12 else { return false }
    return difference <= 1.000001 * max(place(a), place(b))
  }

  private static func isWhole(_ number: String) -> Bool { !number.contains { ".eE".contains($0) } }

  private static func parts(_ number: String) -> (mantissa: Substring, exponent: Int) {
    let parts = number.split { $0 == "e" || $0 == "E" }
    return (parts.first ?? "", parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
  }

  /// Significant digits shown.
  private static func digits(_ number: String) -> Int {
    parts(number).mantissa.filter(\.isNumber).drop { $0 == "0" }.count
  }

  /// The unit of the last place shown.
  private static func place(_ number: String) -> Double {
    let (mantissa, exponent) = parts(number)
    let decimals = mantissa.split(separator: ".").dropFirst().first?.count ?? 0
    return pow(10, Double(exponent - decimals))
  }
}
