import DepthCore
import Foundation

/// What is assumed of the LiDAR's relative error, return by return.
enum LidarNoise {
  /// Standard deviation of the relative error of every pixel.
  ///
  /// Assumed by confidence (``assumed(_:_:)``). Without a confidence map it is estimated from the map itself, and
  /// never taken to be more than what is assumed: the spots' error is correlated over several pixels, so the estimate
  /// is a lower bound, and a lower bound keeps a measured pixel with the LiDAR.
  static func deviations(_ frame: DepthFrame, _ options: FusionOptions) -> [Float] {
    let assumed = assumed(frame, options)
    guard frame.confidence == nil, let estimate = roughness(of: frame.lidar) else { return assumed }
    return assumed.map { max(min($0, Float(estimate)), Float(minimum)) }
  }

  /// By confidence and depth from the calibration (``FusionOptions/noiseModel``), else by confidence from
  /// ``LocalOptions/lidarDeviations``. Without a confidence map every return is of level 2; that of a pixel without a
  /// return is the table's and never used.
  static func assumed(_ frame: DepthFrame, _ options: FusionOptions) -> [Float] {
    let table = options.local.lidarDeviations.map(Float.init)
    let levels = frame.confidence?.values
    func level(_ index: Int) -> Int { levels.map { Int(min($0[index], 2)) } ?? 2 }
    guard let laws = options.noiseModel?.noise, laws.count == 3 else {
      return frame.lidar.values.indices.map { table[level($0)] }
    }
    return frame.lidar.values.indices.map { index in
      let depth = Double(frame.lidar.values[index])
      guard depth > 0, depth.isFinite else { return table[level(index)] }
      return Float(max(laws[level(index)].variance(at: depth).squareRoot() / depth, minimum))
    }
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
