public import DepthCore

/// An 8-bit colour with opacity; the channels are not multiplied by it.
///
/// Its four bytes lie in this order, so that a raster of them is what image libraries call RGBA.
public struct RGBA: Sendable, Hashable {
  /// Channels, 0…255, sRGB.
  public var red: UInt8, green: UInt8, blue: UInt8
  /// 0 transparent … 255 opaque.
  public var alpha: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  public init(_ colour: RGB, alpha: UInt8 = 255) {
    self.init(red: colour.red, green: colour.green, blue: colour.blue, alpha: alpha)
  }

  /// Nothing: transparent black.
  public static let clear = RGBA(red: 0, green: 0, blue: 0, alpha: 0)
  /// Without its opacity.
  public var opaque: RGB { RGB(red: red, green: green, blue: blue) }
}

extension Raster where Element == RGBA {
  /// A picture on which nothing is drawn.
  public static func clear(_ size: RasterSize) -> Raster<RGBA> {
    Raster(width: size.width, height: size.height, filledWith: .clear)
  }

  /// The picture on an opaque ground.
  func over(_ ground: RGB) -> Raster<RGBA> {
    isOpaque ? self : Raster(width: width, height: height, values: values.map { $0.over(ground) })
  }

  /// Whether nothing shines through.
  public var isOpaque: Bool {
    values.withUnsafeBytes { bytes in
      var (all, offset) = (SIMD8<UInt32>(repeating: .max), 0)
      while offset + 32 <= bytes.count {
        all &= bytes.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt32>.self)
        offset += 32
      }
      return (0..<8).allSatisfy { all[$0] >> 24 == 255 }
        && values[(offset / 4)...].allSatisfy { $0.alpha == 255 }
    }
  }
}
