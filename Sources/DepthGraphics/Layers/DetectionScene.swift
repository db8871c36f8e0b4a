public import DepthCore
internal import Foundation

/// The app's results screen: what no object covers is darkened to 30 %, objects stay at full brightness.
///
/// In linear light a channel becomes L·(m + (1 − m)·2^EV), EV = −1.74, m the mask: Core Image's exposure filter, blended
/// by mask in its linear working space. sRGB is decoded and encoded by IEC 61966-2-1 in Double and rounded to the
/// nearest 8-bit step, halves to even. Opacity stays as it is.
public struct DetectionScene: PictureLayer {
  private let mask: Raster<Float>
  /// Exposure of what no object covers: 2^−1.74 = 0.299.
  public static let exposure = -1.74
  /// - Parameter mask: Of all objects, 0…1, at the picture's resolution.
  public init(mask: Raster<Float>) { self.mask = mask }

  /// - Precondition: The picture has the mask's size.
  public func draw(on picture: inout Raster<RGBA>) {
    precondition(picture.size == mask.size, "a mask has one value a pixel")
    let floor = exp2(Self.exposure)
    let light = (0...255).map { RGB.linearLight(UInt8($0)) }
    let dark = light.map { Self.encoded($0 * floor) }
    for index in picture.values.indices {
      let share = Double(mask.values[index])
      guard share < 1 else { continue }
      var pixel = picture.values[index]
      if share > 0 {
        let gain = share + (1 - share) * floor
        pixel.red = Self.encoded(light[Int(pixel.red)] * gain)
        pixel.green = Self.encoded(light[Int(pixel.green)] * gain)
        pixel.blue = Self.encoded(light[Int(pixel.blue)] * gain)
      } else {
        pixel.red = dark[Int(pixel.red)]
        pixel.green = dark[Int(pixel.green)]
        pixel.blue = dark[Int(pixel.blue)]
      }
      picture.values[index] = pixel
    }
  }

  /// The sRGB value of a light 0…1.
  private static func encoded(_ light: Double) -> UInt8 {
    let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    return UInt8(saturating: (255 * min(max(value, 0), 1)).rounded(.toNearestOrEven))
  }
}
