/// What an option can hold: something with a spelling on the command line.
public protocol OptionValue: Sendable {
  /// What is to be written: "a whole number", or the words that there are. Empty where anything can be.
  static var form: String { get }
  /// nil where the text is not such a value.
  static func reading(_ text: String) -> Self?
  /// As it is written. Empty for nil.
  var typed: String { get }
  /// The numbers in it; none for words.
  var numbers: [Double] { get }
  /// Whether every number in it is within bounds; nil bounds hold anything.
  func lies(within bounds: OptionBounds?) -> Bool
  /// Values with commas between them; nil where one of them is none.
  static func list(_ text: String) -> [Self]?
}

extension OptionValue {
  public static func list(_ text: String) -> [Self]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let values = parts.compactMap { reading(String($0.drop { $0 == " " })) }
    return values.count == parts.count ? values : nil
  }

  public var numbers: [Double] { [] }
  public func lies(within bounds: OptionBounds?) -> Bool { true }
}

/// A number that an option can hold, alone or in a range.
public protocol OptionNumber: OptionValue, Comparable {
  static func nearest(_ number: Double) -> Self
  var number: Double { get }
}

extension OptionNumber {
  public var numbers: [Double] { [number] }
  public func lies(within bounds: OptionBounds?) -> Bool { bounds?.contains(number) ?? true }
}

extension OptionNumber where Self: LosslessStringConvertible {
  public static func reading(_ text: String) -> Self? { Self(text) }
  /// "4" rather than "4.0".
  public var typed: String { description.hasSuffix(".0") ? String(description.dropLast(2)) : description }
}

extension Double: OptionNumber {
  public static var form: String { "a number" }
  public static func nearest(_ number: Double) -> Double { number }
  public var number: Double { self }
}

extension Float: OptionNumber {
  public static var form: String { "a number" }
  public static func nearest(_ number: Double) -> Float { Float(number) }
  public var number: Double { Double(self) }
}

extension OptionNumber where Self: FixedWidthInteger {
  public static var form: String { "a whole number" }
  public static func nearest(_ number: Double) -> Self { Self(saturating: number.rounded()) }
  public var number: Double { Double(self) }
}

extension Int: OptionNumber {}
extension UInt8: OptionNumber {}
extension UInt64: OptionNumber {}

/// Two numbers, the smaller first: "0.1,4".
extension ClosedRange: OptionValue where Bound: OptionNumber {
  public static var form: String { "two numbers" }

  public static func reading(_ text: String) -> Self? {
    guard let numbers = [Double].reading(text), numbers.count == 2, numbers[0] <= numbers[1] else {
      return nil
    }
    return Bound.nearest(numbers[0])...Bound.nearest(numbers[1])
  }

  public var typed: String { "\(lowerBound.typed),\(upperBound.typed)" }
  public var numbers: [Double] { lowerBound.numbers + upperBound.numbers }

  public func lies(within bounds: OptionBounds?) -> Bool {
    lowerBound.lies(within: bounds) && upperBound.lies(within: bounds)
  }
}

/// Values with commas between them: "0,0.05,1".
extension Array: OptionValue where Element: OptionValue {
  public static var form: String { Element.self is any OptionNumber.Type ? "numbers" : "" }
  public static func reading(_ text: String) -> Self? { Element.list(text) }
  public var typed: String { map(\.typed).joined(separator: ",") }
  public var numbers: [Double] { flatMap(\.numbers) }
  public func lies(within bounds: OptionBounds?) -> Bool { allSatisfy { $0.lies(within: bounds) } }
}

/// nil for what is not set.
extension Optional: OptionValue where Wrapped: OptionValue {
  public static var form: String { Wrapped.form }
  public static func reading(_ text: String) -> Self? { Wrapped.reading(text).map { .some($0) } }
  public var typed: String { self?.typed ?? "" }
  public var numbers: [Double] { self?.numbers ?? [] }
  public func lies(within bounds: OptionBounds?) -> Bool { self?.lies(within: bounds) ?? true }
}

extension String: OptionValue {
  public static var form: String { "" }
  public static func reading(_ text: String) -> String? { text }

  /// Words; each counts once.
  public static func list(_ text: String) -> [String]? {
    var seen: Set<String> = []
    let words = text.split(separator: ",").map { word in
      String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }.filter { !$0.isEmpty && seen.insert($0).inserted }
    return words.isEmpty ? nil : words
  }

  public var typed: String { self }
}

extension Bool: OptionValue {
  public static var form: String { "" }
  public static func reading(_ text: String) -> Bool? { Bool(text) }
  public var typed: String { description }
}

/// One of the words of an enumeration.
extension OptionValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  public static var form: String { allCases.map(\.rawValue).alternatives }
  public static func reading(_ text: String) -> Self? { Self(rawValue: text) }
  public var typed: String { rawValue }
}

extension PositionMapping: OptionValue {}
extension ImageOrigin: OptionValue {}

extension RangeLaw: OptionValue {
  public static var form: String { "constant, proportional, or a,b for √(a²+(b·d)²)" }
  public static func reading(_ text: String) -> RangeLaw? { RangeLaw(text) }
  public var typed: String { description }
  public func lies(within bounds: OptionBounds?) -> Bool { isUsable }
}

extension [String] {
  /// "a, b or c"
  public var alternatives: String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
  }
}
