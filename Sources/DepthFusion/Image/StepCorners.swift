import DepthCore
import Foundation

/// Four returns, in a square, with a depth step between them, and their colours.
struct StepCorners {
  private let depths: SIMD4<Float>, colours: [SIMD3<Float>]
  /// Largest of the four over the least, from which on there is a depth step: not less than for `ImageGuide`, so that the colours are known.
  private static let leastRatio: Float = 1.106
  /// Least weight of a colour, so that where none of the four is like the pixel, they count by their distance.
  private static let leastWeight: Float = 1e-12

  /// - Parameter index: Of the upper left one in the LiDAR map.
  /// - Parameter step: Columns and rows to the others.
  /// - Parameter colour: Of a pixel of the map.
  /// - Returns: nil where one is missing, or there is no step.
  init?(_ lidar: DepthMap, at index: Int, step: Int, colour: (Int) -> SIMD3<Float>) {
    let (right, below) = (index + step, index + step * lidar.width)
    depths = lidar.values.withUnsafeBufferPointer { SIMD4($0[index], $0[right], $0[below], $0[below + step]) }
    let sum = depths.sum()
    guard sum.isFinite, depths.max() > Self.leastRatio * depths.min() else { return nil }
    colours = [colour(index), colour(right), colour(below), colour(below + step)]
  }

  /// Bilinear weights, 0 to 1 from the left and from above.
  static func weights(across: Float, down: Float) -> SIMD4<Float> {
    SIMD4((1 - across) * (1 - down), across * (1 - down), (1 - across) * down, across * down)
  }

  /// Bilinear interpolation.
  func mean(across: Float, down: Float) -> Float { (Self.weights(across: across, down: down) * depths).sum() }

  /// The same, each return counting less the more its colour differs from the pixel's.
  func mean(across: Float, down: Float, colour: SIMD3<Float>) -> Float {
    var weights = Self.weights(across: across, down: down)
    for corner in 0..<4 {
      let tint = colours[corner] - colour
      let difference = (tint * tint).sum() / (2 * ImageGuide.colourSpread * ImageGuide.colourSpread)
      weights[corner] *= max(exp(-difference), Self.leastWeight)
    }
    return (weights * depths).sum() / weights.sum()
  }
}
