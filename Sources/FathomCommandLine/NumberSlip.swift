import DepthCore

/// Numbers that were written with a unit, with percent or with a decimal comma.
package enum NumberSlip {
  /// How they are written as plain numbers: "write it without a unit; lengths are in metres: 0.05"; nil where that is unknown.
  package static func meant(by word: String) -> String? {
    let parts = word.split(separator: ",", omittingEmptySubsequences: false)
    if parts.count == 2, Double("\(parts[0]).\(parts[1])") != nil {
      return "with a decimal point it is \(parts[0]).\(parts[1])"
    }
    let digits = word.prefix { $0.isNumber || "+-.".contains($0) }
    let unit = word.dropFirst(digits.count).drop { $0 == " " }
    guard let number = Double(digits), !unit.isEmpty, unit.allSatisfy({ $0.isLetter || "%°".contains($0) })
    else { return nil }
    guard let known = units[String(unit)] else { return "write it without a unit" }
    return "write it without a unit; \(known.base): \(written(number / known.count))"
  }

  /// How many of them are one of the base.
  private static let units: [String: (count: Double, base: String)] = [
    "m": (1, "lengths are in metres"), "cm": (100, "lengths are in metres"),
    "mm": (1000, "lengths are in metres"), "s": (1, "times are in seconds"),
    "ms": (1000, "times are in seconds"), "%": (100, "shares are fractions of 1"),
    "°": (1, "angles are in degrees"), "deg": (1, "angles are in degrees"),
  ]

  /// Without digits that only rounding made.
  private static func written(_ number: Double) -> String { ((number * 1e9).rounded() / 1e9).typed }
}
