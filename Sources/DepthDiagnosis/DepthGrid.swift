import DepthCore

/// A frame's trusted returns on a coarse raster, and other maps read at the same points.
struct DepthGrid {
  /// At most this many columns and rows: neighbours say nothing new.
  static let limit = 96
  let size: RasterSize
  /// 1/d, 1/m; NaN without a return.
  let disparity: [Double]

  /// - Parameter leastConfidence: Returns below it count as none; 0 for ranks, which doubtful returns hardly move.
  init(_ frame: DepthFrame, limit: Int = DepthGrid.limit, leastConfidence: UInt8 = 1) {
    let lidar = frame.lidar
    let step = max(1, (max(lidar.width, lidar.height) + limit - 1) / limit)
    size = RasterSize(width: lidar.width / step, height: lidar.height / step)
    var disparity: [Double] = []
    disparity.reserveCapacity(size.count)
    for row in 0..<size.height {
      for column in 0..<size.width {
        let index = (row * step + step / 2) * lidar.width + column * step + step / 2
        let depth = Double(lidar.values[index])
        let isTrusted = frame.confidence.map { $0.values[index] >= leastConfidence } ?? true
        disparity.append(depth > 0 && depth.isFinite && isTrusted ? 1 / depth : .nan)
      }
    }
    self.disparity = disparity
  }

  /// Metres; NaN without a return.
  var depth: DepthMap {
    DepthMap(width: size.width, height: size.height, values: disparity.map { Float(1 / $0) })
  }

  /// A map's values at the points' images: shares of width and height go through `place` first.
  func samples(
    of map: DepthMap, at place: (Double, Double) -> (x: Double, y: Double) = { ($0, $1) }
  ) -> [Double] {
    map.samples(in: size, at: place)
  }

  /// Medians of values over nine blocks of the raster, so that a single frame has more than one vote; nil for a block
  /// with hardly a value.
  func blockMedians(_ values: [Double]) -> [Double?] {
    var blocks = [[Double]](repeating: [], count: 9)
    for (index, value) in values.enumerated() where value.isFinite {
      blocks[index / size.width * 3 / size.height * 3 + index % size.width * 3 / size.width].append(value)
    }
    return blocks.map { $0.count >= 20 ? OrderStatistics.median(of: $0) : nil }
  }
}
