internal import DepthCore

extension Raster where Element == Float {
  /// The smallest value in a 3×3 cross, `steps` times.
  ///
  /// Neighbours outside are excluded: an object that the image cuts off keeps that edge.
  func eroded(steps: Int) -> Raster<Float> {
    var raster = self
    guard steps > 0, width > 0, height > 0 else { return raster }
    var next = raster
    for _ in 0..<steps {
      raster.values.withUnsafeBufferPointer { values in
        next.values.withUnsafeMutableBufferPointer { next in
          for row in 0..<height {
            let start = row * width
            // At an edge a row is its own neighbour, which changes no minimum.
            let above = row > 0 ? start - width : start
            let below = row + 1 < height ? start + width : start
            for column in 0..<width {
              next[start + column] = Swift.min(
                Swift.min(values[start + column], values[above + column]), values[below + column])
            }
            for column in 0..<(width - 1) {
              next[start + column + 1] = Swift.min(next[start + column + 1], values[start + column])
            }
            for column in 0..<(width - 1) {
              next[start + column] = Swift.min(next[start + column], values[start + column + 1])
            }
          }
        }
      }
      swap(&raster, &next)
    }
    return raster
  }
}
