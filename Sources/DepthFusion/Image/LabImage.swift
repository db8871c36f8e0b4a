import DepthCore
import Foundation

/// A camera image as CIE L*a*b* colours (D65) of another raster's pixels, in which distances are differences that people see.
///
/// Light is averaged over a pixel's area in the image; where the raster is the finer one, over the area of one of the image's pixels about
/// the pixel's centre, which is linear interpolation.
struct LabImage {
  private let image: Raster<RGB>, columns: BoxAxis, rows: BoxAxis

  /// - Parameter size: Of the raster.
  /// - Parameter offset: By how much its pixels lie beside their place in the image's view, pixels of the raster.
  init(_ image: Raster<RGB>, at size: RasterSize, offset: PixelOffset = .zero) {
    self.image = image
    columns = BoxAxis(source: image.width, target: size.width, offset: offset.x)
    rows = BoxAxis(source: image.height, target: size.height, offset: offset.y)
  }

  /// Light of every value that a channel can have.
  private static let light: [Float] = (0...255).map { Float(RGB.linearLight(UInt8($0))) }

  /// L*, a*, b* of a pixel of the raster.
  func colour(row: Int, column: Int) -> SIMD3<Float> {
    var sum = SIMD3<Float>.zero
    let (across, down) = (columns.boxes[column], rows.boxes[row])
    Self.light.withUnsafeBufferPointer { light in
      for y in 0..<down.weights.count {
        for x in 0..<across.weights.count {
          let pixel = image.values[(down.first + y) * image.width + across.first + x]
          let channels = SIMD3(light[Int(pixel.red)], light[Int(pixel.green)], light[Int(pixel.blue)])
          sum += down.weights[y] * across.weights[x] * channels
        }
      }
    }
    return Self.lab(sum)
  }

  /// Of linear light in the primaries of sRGB (IEC 61966-2-1; CIE 15).
  static func lab(_ light: SIMD3<Float>) -> SIMD3<Float> {
    func f(_ red: Float, _ green: Float, _ blue: Float) -> Float {
      let value = red * light.x + green * light.y + blue * light.z
      return value > 216 / 24389 ? cbrtf(value) : value * 841 / 108 + 4 / 29
    }
    // Rows of the matrix over the white point.
    let x = f(0.4339530, 0.3762194, 0.1898278)
    let y = f(0.2126729, 0.7151522, 0.0721750), z = f(0.0177578, 0.1094767, 0.8727655)
    return SIMD3(116 * y - 16, 500 * (x - y), 200 * (y - z))
  }
}

/// Which pixels of a row or column of an image a raster's pixels cover, and how much of each, as shares.
private struct BoxAxis {
  let boxes: [(first: Int, weights: [Float])]

  init(source: Int, target: Int, offset: Double) {
    let scale = Double(source) / Double(target), half = max(scale, 1) / 2
    boxes = (0..<target).map { pixel in
      let centre = (Double(pixel) + 0.5 + offset) * scale
      // Beside the image lies its edge.
      let low = min(max(centre - half, 0), Double(source) - 1)
      let high = max(min(centre + half, Double(source)), low + 1e-6)
      let (first, last) = (Int(low), min(source - 1, Int(high.rounded(.up)) - 1))
      return (
        first,
        (first...max(first, last))
          .map { Float((min(high, Double($0) + 1) - max(low, Double($0))) / (high - low)) }
      )
    }
  }
}
