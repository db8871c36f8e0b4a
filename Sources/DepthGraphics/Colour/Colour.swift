public import DepthCore
internal import Foundation

/// An sRGB colour with opacity.
public struct Colour: Sendable, Hashable {
  /// Channels, sRGB, 0…1.
  public var red: Double, green: Double, blue: Double
  /// 0 transparent … 1 opaque.
  public var alpha: Double

  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// From 8-bit channels.
  public init(_ colour: RGB, alpha: Double = 1) {
    self.init(
      red: Double(colour.red) / 255, green: Double(colour.green) / 255, blue: Double(colour.blue) / 255,
      alpha: alpha)
  }

  /// A grey of this sRGB value, 0…1.
  public init(grey: Double, alpha: Double = 1) { self.init(red: grey, green: grey, blue: grey, alpha: alpha) }
  public static let black = Colour(grey: 0), white = Colour(grey: 1)
}

extension RGB {
  /// Luminance as an sRGB grey 0…255 (Rec. 709 weights in linear light).
  public var greyLevel: UInt8 {
    let light = luminance
    let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    return UInt8((255 * min(max(value, 0), 1)).rounded())
  }
}
