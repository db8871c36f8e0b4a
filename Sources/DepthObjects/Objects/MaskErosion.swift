internal import DepthCore

extension Raster where Element == Float {
  /// The smallest value in a 3×3 cross, `steps` times.
  ///
  /// Neighbours outside are left out: an object that the image cuts off keeps that edge.
  func eroded(steps: Int) -> Raster<Float> {
    var raster = self
    for _ in 0..<Swift.max(steps, 0) {
      var next = raster
      raster.values.withUnsafeBufferPointer { values in
        next.values.withUnsafeMutableBufferPointer { next in
          for row in 0..<height {
            for index in row * width..<(row + 1) * width {
              var least = values[index]
              if row > 0 { least = Swift.min(least, values[index - width]) }
              if row + 1 < height { least = Swift.min(least, values[index + width]) }
              if index > row * width { least = Swift.min(least, values[index - 1]) }
              if index + 1 < (row + 1) * width { least = Swift.min(least, values[index + 1]) }
              next[index] = least
            }
          }
        }
      }
      raster = next
    }
    return raster
  }
}
