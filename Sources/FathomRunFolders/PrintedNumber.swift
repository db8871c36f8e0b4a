import Foundation

/// A number as tables print it: "0.061", "**12.3**", "95.1 %", "0,043", "1.2e-3", "0.061 ± 0.002".
struct PrintedNumber: Equatable {
  let value: Double
  let lastPlace: Double  // One unit of the last decimal, at most 0.001.

  /// - Parameter bytes: A cell, UTF-8.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    // What programs write: a number and nothing else. Long tables hold millions of these.
    if bytes.count <= Self.longest, bytes.allSatisfy(Self.isPlain) {
      guard let number = Double(String(decoding: bytes, as: UTF8.self)) else { return nil }
      self.init(number, plain: bytes)
    } else {
      self.init(decorated: String(decoding: bytes.prefix(Self.longest), as: UTF8.self))
    }
  }

  private static let longest = 400  // No number has as many characters, with all that stands around it.

  private init(_ number: Double, plain bytes: UnsafeBufferPointer<UInt8>, scale: Double = 1) {
    var (decimals, exponent) = (0, 0)
    let mantissa = bytes.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    if let point = mantissa.firstIndex(of: UInt8(ascii: ".")) { decimals = mantissa.count - point - 1 }
    if mantissa.count < bytes.count {
      exponent = Int(String(decoding: bytes[(mantissa.count + 1)...], as: UTF8.self)) ?? 0
    }
    value = number * scale
    lastPlace = Self.power(exponent - max(3, decimals)) * scale
  }

  /// With marks, blanks, a sign for per cent, a decimal comma, or an interval behind it.
  private init?(decorated text: String) {
    var plain = text.prefix { !"±([".contains($0) }.filter { !"*†‡_".contains($0) && !$0.isWhitespace }
      .replacing("−", with: "-")
    let isPercent = plain.hasSuffix("%")
    if isPercent { plain.removeLast() }
    if !plain.contains("."), plain.count(where: { $0 == "," }) == 1 {
      plain = plain.replacing(",", with: ".")
    }
    if plain == "∞" || plain == "-∞" { plain = plain.replacing("∞", with: "inf") }
    guard let number = Double(plain), !number.isNaN else { return nil }
    let scale = isPercent ? 0.01 : 1
    self = Array(plain.utf8).withUnsafeBufferPointer { PrintedNumber(number, plain: $0, scale: scale) }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private static let powers = (-40...0).map { pow(10, Double($0)) }

  private static func power(_ exponent: Int) -> Double {
    (-40...0).contains(exponent) ? powers[exponent + 40] : pow(10, Double(exponent))
  }
}
