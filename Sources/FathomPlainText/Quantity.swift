import Foundation

/// A number as people read it in a report: digits, unit, sign and interval, written in one way everywhere.
///
/// The minus sign is U+2212; an interval stands in square brackets behind the value and its unit, "12.3 mm [11.9, 12.8]", and alone
/// with its unit behind it, "[11.9, 12.8] mm". What does not exist is an en dash.
public struct Quantity: Sendable, Equatable {
  /// How numbers of a kind are written.
  public struct Style: Sendable, Equatable {
    enum Digits: Sendable, Equatable {
      case significant(Int), decimals(Int)
      case length  // Metres as millimetres below a metre.
      /// As many as the interval supports, and so many significant ones without it.
      case supported(otherwise: Int)
    }

    var digits: Digits
    var ofEnds: Digits  // Of the ends of an interval.
    var factor = 1.0, unit = "", showsPlus = false

    /// Significant digits, plain notation where it is short: "0.01234".
    public static func significant(
      _ digits: Int = 4, ofEnds: Int? = nil, times factor: Double = 1, unit: String = ""
    ) -> Style {
      Style(digits: .significant(digits), ofEnds: .significant(ofEnds ?? digits), factor: factor, unit: unit)
    }

    /// A fixed number of decimals: "12.30".
    public static func decimals(_ count: Int, times factor: Double = 1, unit: String = "") -> Style {
      Style(digits: .decimals(count), ofEnds: .decimals(count), factor: factor, unit: unit)
    }

    /// A share: "12.3 %".
    public static func percent(_ decimals: Int = 1) -> Style { .decimals(decimals, times: 100, unit: "%") }
    /// Metres, as millimetres below a metre: "3.2 mm", "1.500 m". Both ends of an interval have the unit of the larger one.
    public static let length = Style(digits: .length, ofEnds: .length)

    /// As many digits as the interval supports: two significant digits of half its width, four of the number at most. Without an interval three significant digits, and all before the point.
    public static func supported(times factor: Double = 1, unit: String = "") -> Style {
      Style(digits: .supported(otherwise: 3), ofEnds: .supported(otherwise: 3), factor: factor, unit: unit)
    }

    /// The same with a plus before what is above zero: for differences.
    public var signed: Style {
      var style = self
      style.showsPlus = true
      return style
    }
  }

  /// In the style's unit of origin: metres, shares.
  public var value: Double?
  public var low: Double?, high: Double?
  public var style: Style

  /// The same without a style: in the unit of the printed number where that stands alone, as in a table whose head has the unit.
  public var shown: (value: Double?, low: Double?, high: Double?) {
    let factor = style.unit.isEmpty ? style.factor : 1
    return (value.map { $0 * factor }, low.map { $0 * factor }, high.map { $0 * factor })
  }

  public init(_ value: Double?, _ style: Style, low: Double? = nil, high: Double? = nil) {
    (self.value, self.style, self.low, self.high) = (value, style, low, high)
  }

  /// Stands for what does not exist.
  public static let none = "–"
  private static let minus = "−"

  /// "12.3 mm [11.9, 12.8]"; without the brackets where there is no interval.
  public var text: String {
    value == nil ? number : [number, bracket].compactMap(\.self).joined(separator: " ")
  }

  /// The value alone: "12.3 mm".
  public var number: String {
    guard let value else { return Self.none }
    let style = style.resolved(for: [value, low, high], low, high)
    return style.withUnit(style.number(value, style.digits))
  }

  /// The interval in the unit of the value: "[11.9, 12.8]"; nil where there is none.
  public var bracket: String? {
    guard let low, let high else { return nil }
    let style = style.resolved(for: [value, low, high], low, high)
    return "[\(style.end(low)), \(style.end(high))]"
  }

  /// The interval alone: "[11.9, 12.8] mm".
  public var interval: String {
    guard let low, let high else { return Self.none }
    let style = style.resolved(for: [low, high], low, high)
    return style.withUnit("[\(style.end(low)), \(style.end(high))]")
  }

  /// A number in so many significant digits, plain notation where it is short.
  public static func significant(_ value: Double, _ digits: Int = 4) -> String {
    guard value.isFinite else { return value.isNaN ? none : (value > 0 ? "∞" : minus + "∞") }
    guard value != 0 else { return "0" }
    let style = FloatingPointFormatStyle<Double>(locale: posix).precision(.significantDigits(digits))
      .grouping(.never)
    let isShort = (1e-5..<1e7).contains(abs(value))
    return signed(abs(value).formatted(isShort ? style : style.notation(.scientific)), isNegative: value < 0)
  }

  /// A number with so many decimals.
  public static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard abs(value) < longest else { return significant(value) }
    let text = abs(value).formatted(
      FloatingPointFormatStyle<Double>(locale: posix).precision(.fractionLength(decimals)).grouping(.never))
    // Rounding may leave a sign on nothing.
    return signed(text, isNegative: value < 0 && text.contains { ("1"..."9").contains($0) })
  }

  private static func signed(_ text: String, isNegative: Bool) -> String { (isNegative ? minus : "") + text }
  fileprivate static let mostSignificant = 4  // Most digits that an interval supports.
  private static let longest = 1e12  // Larger numbers are written as powers of ten.
  private static let posix = Locale(identifier: "en_US_POSIX")
}

extension Quantity.Style {
  /// The unit that fits a length of this size, and the digits that the interval supports, for all numbers alike.
  fileprivate func resolved(for values: [Double?], _ low: Double?, _ high: Double?) -> Quantity.Style {
    if case .supported(let significant) = digits {
      var style = self
      let largest = values.compactMap { $0.map { abs($0 * factor) } }.filter(\.isFinite).max() ?? 0
      // No digit before the point is rounded away: tables beside it would have another number.
      style.digits = largest < pow(10, Double(significant)) ? .significant(significant) : .decimals(0)
      if let low, let high, case let half = (high - low) / 2 * factor, half.isFinite, half > 0 {
        // However narrow the interval, the largest of the numbers has no more than so many digits.
        let most = Quantity.mostSignificant - 1 - Int(log10(max(largest, half)).rounded(.down))
        style.digits = .decimals(max(0, min(1 - Int(log10(half).rounded(.down)), most)))
      }
      style.ofEnds = style.digits
      return style
    }
    guard digits == .length else { return self }
    let size = values.compactMap { $0.map(abs) }.filter(\.isFinite).max() ?? 0
    var style = Quantity.Style.decimals(3, unit: "m")
    if size < 1 { style = .decimals(size > 0 && size < 0.001 ? 3 : 1, times: 1000, unit: "mm") }
    style.showsPlus = showsPlus
    return style
  }

  fileprivate func number(_ value: Double, _ digits: Digits, plus: Bool? = nil) -> String {
    let scaled = value * factor
    let text =
      switch digits {
      case .significant(let count): Quantity.significant(scaled, count)
      case .decimals(let count): Quantity.fixed(scaled, count)
      case .length: Quantity.fixed(scaled, 1)
      // Resolved before a number is written.
      case .supported(let count): Quantity.significant(scaled, count)
      }
    let isAbove = scaled > 0 && text.contains { ("1"..."9").contains($0) || $0 == "∞" }
    return (plus ?? showsPlus) && isAbove ? "+" + text : text
  }

  fileprivate func end(_ value: Double) -> String { number(value, ofEnds, plus: false) }
  fileprivate func withUnit(_ text: String) -> String { unit.isEmpty ? text : "\(text) \(unit)" }
}
