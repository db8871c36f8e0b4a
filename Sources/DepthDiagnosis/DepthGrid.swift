import DepthFusion

/// A frame's LiDAR on a coarse raster, and other maps read at the same points.
struct DepthGrid {
  /// At most this many columns and rows: neighbours say nothing new.
  static let limit = 96
  let size: RasterSize
  /// 1/d, 1/m; NaN without a return.
  let disparity: [Double]

  init(_ frame: DepthFrame) {
    let lidar = frame.lidar
    let step = max(1, (max(lidar.width, lidar.height) + Self.limit - 1) / Self.limit)
    size = RasterSize(width: lidar.width / step, height: lidar.height / step)
    var disparity: [Double] = []
    for row in 0..<size.height {
      for column in 0..<size.width {
        let index = (row * step + step / 2) * lidar.width + column * step + step / 2
        let depth = Double(lidar.values[index])
        let isTrusted = frame.confidence.map { $0.values[index] >= 1 } ?? true
        disparity.append(depth > 0 && depth.isFinite && isTrusted ? 1 / depth : .nan)
      }
    }
    self.disparity = disparity
  }

  /// A map's values at the points' images: shares of width and height go through `place` first.
  func samples(of map: DepthMap, at place: (Double, Double) -> (Double, Double)) -> [Double] {
    var values: [Double] = []
    values.reserveCapacity(size.count)
    for row in 0..<size.height {
      for column in 0..<size.width {
        let (x, y) = place(
          (Double(column) + 0.5) / Double(size.width), (Double(row) + 0.5) / Double(size.height))
        let (c, r) = (
          min(map.width - 1, Int(x * Double(map.width))), min(map.height - 1, Int(y * Double(map.height)))
        )
        values.append(Double(map[r, c]))
      }
    }
    return values
  }
}
