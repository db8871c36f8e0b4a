import DepthCore
import Foundation

/// Logarithms of a frame's LiDAR depth: a step between neighbours is then relative, whatever the distance.
struct LogDepth {
  let size: RasterSize
  /// ln d; NaN without a return. Of any confidence: where depth has a step, ARKit is seldom sure.
  let values: [Double]

  init(_ frame: DepthFrame) {
    size = frame.lidar.size
    values = frame.lidar.values.map { $0 > 0 && $0.isFinite ? log(Double($0)) : .nan }
  }

  /// The value at a place; NaN outside.
  func callAsFunction(_ row: Int, _ column: Int) -> Double {
    row >= 0 && row < size.height && column >= 0 && column < size.width
      ? values[row * size.width + column] : .nan
  }
}
