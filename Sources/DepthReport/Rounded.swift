import Foundation

/// Rounds numbers for tables and sentences.
enum Rounded {
  /// Four significant digits, plain notation where it is short; an en dash for no value.
  static func number(_ value: Double?, digits: Int = 4) -> String {
    guard let value else { return "–" }
    guard value.isFinite else { return value.isNaN ? "–" : (value > 0 ? "∞" : "−∞") }
    guard value != 0 else { return "0" }
    let exponent = Int(log10(abs(value)).rounded(.down))
    guard exponent >= -5 && exponent < 7 else { return scientific(value, digits: digits) }
    return fixed(value, decimals: max(0, digits - 1 - exponent))
  }

  /// A fixed number of decimals.
  static func fixed(_ value: Double, decimals: Int) -> String {
    value.formatted(
      .number.precision(.fractionLength(decimals)).grouping(.never).locale(Locale(identifier: "en_US_POSIX")))
  }

  /// "12.3 %"
  static func percent(_ share: Double?, decimals: Int = 1) -> String {
    share.map { fixed($0 * 100, decimals: decimals) + " %" } ?? "–"
  }

  /// Metres as millimetres below a metre: "−3.2 mm".
  static func length(_ metres: Double) -> String {
    abs(metres) < 1 ? fixed(metres * 1000, decimals: 1) + " mm" : fixed(metres, decimals: 3) + " m"
  }

  private static func scientific(_ value: Double, digits: Int) -> String {
    value.formatted(
      .number.notation(.scientific).precision(.significantDigits(digits))
        .locale(Locale(identifier: "en_US_POSIX")))
  }
}
