internal import DepthCore
internal import FathomDrawingScales

extension Raster where Element == RGBA {
  /// Draws numbers as the colours of a scale: entry ⌊256·(v − low)/(high − low)⌋ of its map, clamped, in Float32.
  /// - Parameter missing: Colour of NaN; nil for transparent.
  @inline(__always) mutating func blend(
    _ scale: ColourScale, opacity: Float, missing: RGB?,
    sampling: (_ row: Int, _ samples: UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    let low = Float(scale.range.lowerBound)
    let extent = Float(scale.range.upperBound) - low
    let table = scale.map.table.map { UInt32($0.red) | UInt32($0.green) << 8 | UInt32($0.blue) << 16 }
    let (opacity, none) = (SIMD8<Float>(repeating: opacity), missing == nil ? Float(0) : opacity)
    let blank = missing.map { UInt32($0.red) | UInt32($0.green) << 8 | UInt32($0.blue) << 16 } ?? 0
    table.withUnsafeBufferPointer { table in
      blend(sampling: sampling) { sample in
        let isKnown = sample .== sample
        let value = sample.replacing(with: low, where: .!isKnown)
        // A scale of one value has one colour, that of its middle.
        let share = extent > 0 ? (value - low) / extent * 256 : SIMD8<Float>(repeating: 128)
        let above = share.replacing(with: 0, where: share .< 0)
        let entries = PixelOctet.floor(above.replacing(with: 255, where: above .> 255))
        // Written out: a loop over lanes costs more than all the rest.
        let found = SIMD8(
          table[Int(entries[0])], table[Int(entries[1])], table[Int(entries[2])], table[Int(entries[3])],
          table[Int(entries[4])], table[Int(entries[5])], table[Int(entries[6])], table[Int(entries[7])])
        let words = found.replacing(with: blank, where: .!isKnown)
        return OctetColour(
          red: PixelOctet.channel(words, 0), green: PixelOctet.channel(words, 8),
          blue: PixelOctet.channel(words, 16), alpha: opacity.replacing(with: none, where: .!isKnown))
      }
    }
  }
}
