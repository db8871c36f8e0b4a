package import DepthCore
import Foundation

/// Bicubic resizing as papers on upsampling do it: MATLAB's `imresize(map, size, "bicubic")`.
///
/// Keys' kernel with a = −1/2 (R. Keys, "Cubic Convolution Interpolation for Digital Image Processing", IEEE Transactions on Acoustics,
/// Speech, and Signal Processing 29, 1981). Centres of the first pixels of both maps lie half a pixel from the edge, weights add up to
/// 1, and beyond the edges the map is mirrored. Where an axis becomes shorter and ``antialiases`` is set, the kernel is widened by the
/// factor.
package struct BicubicResize: Sendable, Hashable {
  package var antialiases: Bool  // MATLAB's default is true; "Antialiasing", false without.
  package init(antialiases: Bool = true) { self.antialiases = antialiases }

  /// - Parameter size: At least 1×1, as the map's own.
  /// - Returns: The map at another size; where a value under the kernel is not finite, neither is the result.
  package func resized(_ map: DepthMap, to size: RasterSize) -> DepthMap {
    let columns = taps(from: map.width, to: size.width)
    let rows = taps(from: map.height, to: size.height)
    var wide = [Double](repeating: 0, count: map.height * size.width)
    for row in 0..<map.height {
      for (column, taps) in columns.enumerated() {
        wide[row * size.width + column] = taps.reduce(0) {
          $0 + $1.weight * Double(map.values[row * map.width + $1.index])
        }
      }
    }
    var result = DepthMap(width: size.width, height: size.height, filledWith: 0)
    for (row, taps) in rows.enumerated() {
      for column in 0..<size.width {
        result[row, column] = Float(taps.reduce(0) { $0 + $1.weight * wide[$1.index * size.width + column] })
      }
    }
    return result
  }

  /// For each place of an axis the places that it is made of, with weights that add up to 1.
  private func taps(from old: Int, to new: Int) -> [[(index: Int, weight: Double)]] {
    let factor = Double(new) / Double(old)
    let narrowing = antialiases ? min(factor, 1) : 1
    let reach = 2 / narrowing
    return (0..<new).map { place in
      let centre = (Double(place) + 0.5) / factor - 0.5
      let first = Int((centre - reach).rounded(.up)), last = Int((centre + reach).rounded(.down))
      let taps = (first...last).map { index -> (index: Int, weight: Double) in
        // …, 1, 0 | 0, 1, …, n−1 | n−1, n−2, …
        let wrapped = ((index % (2 * old)) + 2 * old) % (2 * old)
        return (min(wrapped, 2 * old - 1 - wrapped), Self.kernel(narrowing * (centre - Double(index))))
      }.filter { $0.weight != 0 }
      let sum = taps.reduce(0) { $0 + $1.weight }
      return taps.map { ($0.index, $0.weight / sum) }
    }
  }

  private static func kernel(_ distance: Double) -> Double {
    let x = abs(distance)
    if x <= 1 { return (1.5 * x - 2.5) * x * x + 1 }
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
  }
}
