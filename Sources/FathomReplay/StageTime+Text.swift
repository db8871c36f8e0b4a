internal import Foundation

extension StageTime: CustomStringConvertible {
  /// What can be written.
  public static let form =
    "a time (45ms, 800us, 0.1s), or uniform(30ms;60ms), normal(45ms;5ms) with its deviation, exponential(45ms)"
  private static let longest = 3600.0  // An hour: longer ones are slips.

  /// Reads what ``form`` says; nil for anything else, such as a negative time.
  public init?(_ text: String) {
    guard let bracket = text.firstIndex(of: "(") else {
      guard let time = Self.nanoseconds(text) else { return nil }
      self = .fixed(time)
      return
    }
    guard text.hasSuffix(")") else { return nil }
    let inside = text[text.index(after: bracket)...].dropLast()
    let parts = inside.split(separator: ";", omittingEmptySubsequences: false)
    let times = parts.compactMap { Self.nanoseconds(String($0)) }
    guard times.count == parts.count else { return nil }
    switch (text[..<bracket], times.count) {
    case ("uniform", 2) where times[0] <= times[1]: self = .uniform(times[0], times[1])
    case ("normal", 2): self = .normal(mean: times[0], deviation: times[1])
    case ("exponential", 1): self = .exponential(mean: times[0])
    default: return nil
    }
  }

  private static func nanoseconds(_ text: String) -> Int? {
    let units: [(String, Double)] = [("ns", 1), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)]
    let text = text.trimmingCharacters(in: .whitespaces)
    guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }),
      let number = Double(text.dropLast(unit.count)), number >= 0, number * factor <= longest * 1e9
    else { return nil }
    return Int((number * factor).rounded())
  }

  /// As it is written; "60 measured with mean 41.2ms" for measured ones.
  public var description: String {
    switch self {
    case .fixed(let time): Self.words(Double(time))
    case .uniform(let low, let high): "uniform(\(Self.words(Double(low)));\(Self.words(Double(high))))"
    case .normal(let mean, let deviation):
      "normal(\(Self.words(Double(mean)));\(Self.words(Double(deviation))))"
    case .exponential(let mean): "exponential(\(Self.words(Double(mean))))"
    case .measured(let times): "\(times.count) measured with mean \(Self.words(mean))"
    }
  }

  private static func words(_ nanoseconds: Double) -> String {
    let (value, unit) =
      nanoseconds >= 1e6 || nanoseconds == 0 ? (nanoseconds / 1e6, "ms") : (nanoseconds / 1e3, "us")
    let text = "\((value * 1e3).rounded() / 1e3)"
    return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + unit
  }
}
