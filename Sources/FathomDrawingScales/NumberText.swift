internal import Foundation

/// Numbers as people read them in a figure; the same in every locale.
public enum NumberText {
  /// With so many decimals; digits in groups of three from 10 000 on.
  public static func fixed(_ value: Double, decimals: Int) -> String {
    let text = String(format: "%.\(decimals)f", abs(value))
    let whole = text.prefix { $0 != "." }
    let isZero = !text.contains { ("1"..."9").contains($0) }
    return (value < 0 && !isZero ? "\u{2212}" : "") + grouped(String(whole)) + text.dropFirst(whole.count)
  }

  /// With so many significant digits.
  public static func significant(_ value: Double, digits: Int) -> String {
    guard value != 0 else { return "0" }
    let exponent = decimalExponent(value)
    guard (-4..<7).contains(exponent) else { return power(value, decimals: digits - 1) }
    return fixed(value, decimals: max(0, digits - 1 - exponent))
  }

  /// With as few digits as the value needs: 0.001, 20, 10⁶.
  public static func shortest(_ value: Double) -> String {
    guard value != 0 else { return "0" }
    let exponent = decimalExponent(value)
    let digit = mantissa(value, exponent)
    guard (-4..<6).contains(exponent) else {
      return abs(digit - 1) < 1e-9 ? "10" + superscript(exponent) : power(value, decimals: 0)
    }
    return fixed(value, decimals: max(0, -exponent))
  }

  /// Mantissa and power of ten: 1.5·10⁷.
  public static func power(_ value: Double, decimals: Int) -> String {
    guard value != 0 else { return "0" }
    let exponent = decimalExponent(value)
    return fixed(mantissa(value, exponent), decimals: decimals) + "·10" + superscript(exponent)
  }

  /// The power of ten of the leading digit; rounding up, as of 9.9999999999, counts as the next.
  public static func decimalExponent(_ value: Double) -> Int {
    value == 0 || !value.isFinite ? 0 : Int(floor(log10(abs(value)) + 1e-12))
  }

  /// The value over a power of ten, which may itself be too small for a number.
  private static func mantissa(_ value: Double, _ exponent: Int) -> Double {
    exponent < -300 ? value * 1e300 / pow(10, Double(exponent + 300)) : value / pow(10, Double(exponent))
  }

  private static func grouped(_ digits: String) -> String {
    guard digits.count > 4 else { return digits }
    let thinSpace = "\u{202F}"
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += thinSpace }
      text.append(digit)
    }
    return text
  }

  private static func superscript(_ exponent: Int) -> String {
    let digits = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]
    return (exponent < 0 ? "⁻" : "")
      + "\(abs(exponent))".compactMap(\.wholeNumberValue).map { digits[$0] }.joined()
  }
}
