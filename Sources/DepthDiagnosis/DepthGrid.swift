import DepthCore

extension DepthFrame {
  /// The frame with no returns but those of a grid: the grid of this has the same values, and takes less time.
  func thinned(to limit: Int) -> DepthFrame {
    let points = DepthGrid.Points(of: lidar.size, limit: limit)
    var frame = self
    frame.confidence = nil
    frame.lidar = DepthMap(width: points.size.width, height: points.size.height, filledWith: .nan)
    points.forEach { position, index in
      if confidence.map({ $0.values[index] >= DepthGrid.leastConfidence }) ?? true {
        frame.lidar.values[position] = lidar.values[index]
      }
    }
    return frame
  }
}

/// A frame's trusted returns on a coarse raster, and other maps read at the same points.
struct DepthGrid {
  /// At most this many columns and rows: neighbours say nothing new.
  static let limit = 96
  let size: RasterSize
  /// 1/d, 1/m; NaN without a return.
  let disparity: [Double]
  /// Returns below it count as none.
  static let leastConfidence: UInt8 = 1

  /// The pixels of a raster that a grid takes.
  struct Points {
    let size: RasterSize
    private let step: Int, width: Int

    init(of raster: RasterSize, limit: Int) {
      (step, size, width) = (raster.step(to: limit), raster.reduced(to: limit), raster.width)
    }

    /// Calls `body` with each point's position in the grid and its pixel's in the raster.
    @inline(__always) func forEach(_ body: (Int, Int) -> Void) {
      for row in 0..<size.height {
        for column in 0..<size.width {
          body(row * size.width + column, (row * step + step / 2) * width + column * step + step / 2)
        }
      }
    }
  }

  /// - Parameter leastConfidence: 0 for ranks, which doubtful returns hardly move.
  init(
    _ frame: DepthFrame, limit: Int = DepthGrid.limit, leastConfidence: UInt8 = DepthGrid.leastConfidence
  ) {
    precondition(frame.confidence.map { $0.size == frame.lidar.size } ?? true, "one confidence per depth")
    let points = Points(of: frame.lidar.size, limit: limit)
    size = points.size
    let levels = frame.confidence?.values ?? []
    disparity = [Double](unsafeUninitializedCapacity: points.size.count) { disparity, count in
      frame.lidar.values.withUnsafeBufferPointer { depths in
        levels.withUnsafeBufferPointer { levels in
          points.forEach { position, index in
            let depth = Double(depths[index])
            let isTrusted = levels.isEmpty || levels[index] >= leastConfidence
            disparity[position] = depth > 0 && depth.isFinite && isTrusted ? 1 / depth : .nan
          }
        }
      }
      count = points.size.count
    }
  }

  /// Metres; NaN without a return.
  var depth: DepthMap {
    DepthMap(width: size.width, height: size.height, values: disparity.map { Float(1 / $0) })
  }

  /// A map's values at the points' images: shares of width and height go through `place` first.
  func samples(
    of map: DepthMap, at place: (Double, Double) -> (x: Double, y: Double) = { ($0, $1) }
  ) -> [Double] { map.samples(in: size, at: place) }

  /// Medians of values over nine blocks of the raster, so that a single frame has more than one vote; nil for a block
  /// with hardly a value.
  func blockMedians(_ values: [Double]) -> [Double?] {
    blocks(of: values).map { OrderStatistics.median(of: $0) }
  }

  /// The same with means.
  func blockMeans(_ values: [Double]) -> [Double?] {
    blocks(of: values).map { $0.isEmpty ? nil : $0.reduce(0, +) / Double($0.count) }
  }

  /// Finite values of each block; none of a block with hardly one.
  private func blocks(of values: [Double]) -> [[Double]] {
    var blocks = [[Double]](repeating: [], count: 9)
    for (index, value) in values.enumerated() where value.isFinite {
      blocks[index / size.width * 3 / size.height * 3 + index % size.width * 3 / size.width].append(value)
    }
    return blocks.map { $0.count >= 20 ? $0 : [] }
  }
}
