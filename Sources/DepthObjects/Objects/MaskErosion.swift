internal import DepthCore

extension Raster where Element == Float {
  /// The smallest value in a 3×3 cross, `steps` times.
  ///
  /// Neighbours outside are left out: an object that the image cuts off keeps that edge.
  func eroded(steps: Int) -> Raster<Float> {
    var raster = self
    for _ in 0..<Swift.max(steps, 0) {
      var next = raster
      for row in 0..<height {
        for column in 0..<width {
          var least = raster[row, column]
          if row > 0 { least = Swift.min(least, raster[row - 1, column]) }
          if row + 1 < height { least = Swift.min(least, raster[row + 1, column]) }
          if column > 0 { least = Swift.min(least, raster[row, column - 1]) }
          if column + 1 < width { least = Swift.min(least, raster[row, column + 1]) }
          next[row, column] = least
        }
      }
      raster = next
    }
    return raster
  }
}
