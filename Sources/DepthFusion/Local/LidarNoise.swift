import Foundation

/// What is assumed of the LiDAR's relative error, return by return.
enum LidarNoise {
  /// Standard deviation of the relative error of every pixel.
  ///
  /// With a confidence map it is the table's. Without one it is estimated from the map itself, and never taken to
  /// be more than the table's best level: the spots' error is correlated over several pixels, so the estimate is a
  /// lower bound, and a lower bound keeps a measured pixel with the LiDAR.
  static func deviations(_ frame: DepthFrame, table: [Double]) -> [Float] {
    if let confidence = frame.confidence {
      return confidence.values.map { Float(table[Int(min($0, 2))]) }
    }
    let estimate = min(roughness(of: frame.lidar) ?? table[2], table[2])
    return [Float](repeating: Float(max(estimate, minimum)), count: frame.lidar.values.count)
  }

  /// A tenth of a millimetre at one metre: what storage alone costs.
  static let minimum = 1e-4

  /// Noise of ln d against the straight line through its two neighbours, along rows and columns:
  /// 1.4826·median |d₋ − 2d₀ + d₊| / √6. A plane has (almost) none; nil without three returns in line.
  static func roughness(of map: DepthMap) -> Double? {
    let logs = map.values.map { $0 > 0 && $0.isFinite ? Foundation.log($0) : .nan }
    var differences: [Double] = []
    differences.reserveCapacity(2 * logs.count)
    for row in 0..<map.height {
      for column in 0..<map.width {
        let i = row * map.width + column
        if column > 0 && column + 1 < map.width {
          differences.append(Double(abs(logs[i - 1] - 2 * logs[i] + logs[i + 1])))
        }
        if row > 0 && row + 1 < map.height {
          differences.append(Double(abs(logs[i - map.width] - 2 * logs[i] + logs[i + map.width])))
        }
      }
    }
    differences.removeAll { $0.isNaN }
    return OrderStatistics.median(of: differences).map {
      OrderStatistics.normalConsistency * $0 / 6.0.squareRoot()
    }
  }
}
