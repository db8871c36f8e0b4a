internal import DepthCore

/// Lowest and highest value in the square around every pixel, cut off at the border.
struct NeighbourhoodRange: Sendable {
  /// Row by row.
  private(set) var lowest: [Double], highest: [Double]

  /// - Parameter radius: Half the side of the square, without its centre.
  init(of map: Raster<Double>, radius: Int) {
    (lowest, highest) = (map.values, map.values)
    for (count, step, position) in [
      (map.width, 1, { (index: Int) in index % map.width }),
      (map.height, map.width, { (index: Int) in index / map.width }),
    ] {
      let (low, high) = (lowest, highest)
      for index in low.indices {
        let place = position(index)
        for offset in max(-radius, -place)...min(radius, count - 1 - place) {
          lowest[index] = min(lowest[index], low[index + offset * step])
          highest[index] = max(highest[index], high[index + offset * step])
        }
      }
    }
  }
}
