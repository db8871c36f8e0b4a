internal import Foundation

/// An 8-bit colour.
public struct RGB: Sendable, Hashable {
  /// Channels, 0…255, sRGB.
  public var red: UInt8, green: UInt8, blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Light that a channel's value stands for, 0…1 (IEC 61966-2-1).
  public static func linearLight(_ channel: UInt8) -> Double {
    let value = Double(channel) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
}
