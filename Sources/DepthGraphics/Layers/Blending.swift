internal import DepthCore

/// Colours of eight pixels of a layer.
struct OctetColour {
  var red: SIMD8<Float>, green: SIMD8<Float>, blue: SIMD8<Float>  // Channels 0…255, finite.
  var alpha: SIMD8<Float>  // Opacity 0…1.

  @inline(__always) init(_ colour: RGB, alpha: SIMD8<Float>) {
    red = SIMD8(repeating: Float(colour.red))
    green = SIMD8(repeating: Float(colour.green))
    blue = SIMD8(repeating: Float(colour.blue))
    self.alpha = alpha
  }

  @inline(__always) init(red: SIMD8<Float>, green: SIMD8<Float>, blue: SIMD8<Float>, alpha: SIMD8<Float>) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }
}

extension Raster where Element == RGBA {
  /// Draws colours over every pixel, eight at once.
  ///
  /// Over an opaque picture a channel becomes below·(1 − α) + colour·α; over a transparent one opacities add up as
  /// α + α′(1 − α), and colours in proportion (Porter & Duff 1984, "over").
  /// - Parameter sampling: Writes the samples of a row, one a pixel.
  /// - Parameter colour: What eight samples look like.
  @inline(__always) mutating func blend(
    sampling: (_ row: Int, _ samples: UnsafeMutableBufferPointer<Float>) -> Void,
    _ colour: (SIMD8<Float>) -> OctetColour
  ) {
    let (width, height, isOpaque) = (width, height, isOpaque)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: width + 8) { samples in
      samples.initialize(repeating: 0)
      values.withUnsafeMutableBytes { bytes in
        for row in 0..<height {
          sampling(row, samples)
          let line = UnsafeRawBufferPointer(samples)
          var column = 0
          while column < width {
            let sample = line.loadUnaligned(fromByteOffset: 4 * column, as: SIMD8<Float>.self)
            let offset = 4 * (row * width + column)
            let lanes = Swift.min(8, width - column)
            var words = SIMD8<UInt32>(repeating: 0)
            if lanes == 8 {
              words = UnsafeRawBufferPointer(bytes).loadUnaligned(
                fromByteOffset: offset, as: SIMD8<UInt32>.self)
            } else {
              for lane in 0..<lanes {
                words[lane] = UnsafeRawBufferPointer(bytes).loadUnaligned(
                  fromByteOffset: offset + 4 * lane, as: UInt32.self)
              }
            }
            let result =
              isOpaque ? PixelOctet.over(words, colour(sample)) : PixelOctet.overAny(words, colour(sample))
            if lanes == 8 {
              bytes.storeBytes(of: result, toByteOffset: offset, as: SIMD8<UInt32>.self)
            } else {
              for lane in 0..<lanes {
                bytes.storeBytes(of: result[lane], toByteOffset: offset + 4 * lane, as: UInt32.self)
              }
            }
            column += 8
          }
        }
      }
    }
  }
}

/// Eight RGBA pixels as words, red in the lowest byte.
enum PixelOctet {
  /// 2²³: a float at least that large has no fraction, so its last bits are the whole number that was added, rounded.
  private static let anchor: Float = 8_388_608

  /// Over opaque pixels.
  @inline(__always) static func over(_ below: SIMD8<UInt32>, _ colour: OctetColour) -> SIMD8<UInt32> {
    let rest = 1 - colour.alpha
    let red = channel(below, 0) * rest + colour.red * colour.alpha
    let green = channel(below, 8) * rest + colour.green * colour.alpha
    let blue = channel(below, 16) * rest + colour.blue * colour.alpha
    return byte(red) | byte(green) &<< 8 | byte(blue) &<< 16 | 0xff00_0000
  }

  /// Over pixels of any opacity.
  @inline(__always) static func overAny(_ below: SIMD8<UInt32>, _ colour: OctetColour) -> SIMD8<UInt32> {
    let beneath = channel(below, 24) / 255
    let rest = 1 - colour.alpha
    let alpha = colour.alpha + beneath * rest
    let isSeen = alpha .> 0
    let divisor = alpha.replacing(with: 1, where: .!isSeen)
    func mixed(_ shift: UInt32, _ own: SIMD8<Float>) -> SIMD8<UInt32> {
      let value = (channel(below, shift) * (beneath * rest) + own * colour.alpha) / divisor
      // Over nothing it is the colour's own, which a product and a quotient would move by a last bit.
      let exact = value.replacing(with: own, where: beneath .== 0)
      return byte(exact.replacing(with: 0, where: .!isSeen))
    }
    let mixture =
      mixed(0, colour.red) | mixed(8, colour.green) &<< 8 | mixed(16, colour.blue) &<< 16
      | byte(255 * alpha) &<< 24
    // The quotient of what is opaque is 1 up to rounding, which must not show.
    return mixture.replacing(with: over(below, colour), where: (below &>> 24) .== 255)
  }

  /// A channel, 0…255.
  @inline(__always) static func channel(_ words: SIMD8<UInt32>, _ shift: UInt32) -> SIMD8<Float> {
    unsafeBitCast(((words &>> shift) & 255) | 0x4b00_0000, to: SIMD8<Float>.self) - anchor
  }

  /// Numbers 0…255 rounded to the nearest whole one, halves to even.
  @inline(__always) static func byte(_ value: SIMD8<Float>) -> SIMD8<UInt32> {
    unsafeBitCast(value + anchor, to: SIMD8<UInt32>.self) & 255
  }

  /// Whole numbers not above 0…255.
  @inline(__always) static func floor(_ value: SIMD8<Float>) -> SIMD8<UInt32> {
    let nearest = (value + anchor) - anchor
    let below = nearest.replacing(with: nearest - 1, where: nearest .> value)
    return unsafeBitCast(below + anchor, to: SIMD8<UInt32>.self) & 255
  }
}
