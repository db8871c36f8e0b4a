import Foundation

/// Rounds numbers for tables and sentences.
public enum Rounded {
  /// Stands for no value.
  static let noValue = "–"

  /// Four significant digits, plain notation where it is short; an en dash for no value.
  public static func number(_ value: Double?, digits: Int = 4) -> String {
    guard let value else { return noValue }
    guard value.isFinite else { return value.isNaN ? noValue : (value > 0 ? "∞" : "−∞") }
    guard value != 0 else { return "0" }
    let style = FloatingPointFormatStyle<Double>(locale: posix).precision(.significantDigits(digits))
      .grouping(.never)
    let isShort = (1e-5..<1e7).contains(abs(value))
    return value.formatted(isShort ? style : style.notation(.scientific))
  }

  /// A fixed number of decimals.
  public static func fixed(_ value: Double, decimals: Int) -> String {
    let text = value.formatted(
      FloatingPointFormatStyle<Double>(locale: posix).precision(.fractionLength(decimals)).grouping(.never))
    // Rounding may leave a sign on nothing.
    return text.hasPrefix("-") && !text.contains(where: { ("1"..."9").contains($0) })
      ? String(text.dropFirst()) : text
  }

  /// "12.3 %"
  public static func percent(_ share: Double?, decimals: Int = 1) -> String {
    share.map { fixed($0 * 100, decimals: decimals) + " %" } ?? noValue
  }

  /// "1 frame", "8 frames".
  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// Metres as millimetres below a metre: "−3.2 mm".
  public static func length(_ metres: Double) -> String {
    abs(metres) < 1 ? fixed(metres * 1000, decimals: 1) + " mm" : fixed(metres, decimals: 3) + " m"
  }

  private static let posix = Locale(identifier: "en_US_POSIX")
}
