internal import Foundation

/// An 8-bit colour.
public struct RGB: Sendable, Hashable {
  /// Channels, 0…255, sRGB.
  public var red: UInt8, green: UInt8, blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Light that a channel's value stands for, 0…1 (IEC 61966-2-1).
  public static func linearLight(_ channel: UInt8) -> Double { linearLights[Int(channel)] }

  /// Of every value of a channel.
  private static let linearLights = (0...255).map { channel in
    let value = Double(channel) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// Light that the colour sends out, 0…1 (weights of Rec. 709).
  public var luminance: Double {
    0.2126 * Self.linearLight(red) + 0.7152 * Self.linearLight(green) + 0.0722 * Self.linearLight(blue)
  }
}

/// "808080"
extension RGB: OptionValue {
  public static var form: String { "RRGGBB" }

  public static func reading(_ text: String) -> RGB? {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard digits.count == 6, digits.allSatisfy(\.isHexDigit), let word = UInt32(digits, radix: 16) else {
      return nil
    }
    return RGB(red: UInt8(word >> 16), green: UInt8(word >> 8 & 255), blue: UInt8(word & 255))
  }

  public var typed: String {
    [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
