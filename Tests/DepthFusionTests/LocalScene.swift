import DepthCore
import Foundation

@testable import DepthFusion

/// A slanted wall with a box before it, seen by a LiDAR and by a network with a smooth error.
struct LocalScene {
  var lidarSize = RasterSize(width: 96, height: 72)
  var relativeSize = RasterSize(width: 192, height: 144)
  /// Amplitude of the network's smooth relative error.
  var distortion = 0.05
  /// Standard deviation of the LiDAR's relative error, per pixel.
  var lidarNoise = 0.0
  /// Standard deviation of the network's relative error, per pixel.
  var networkNoise = 0.0
  var hasConfidence = true

  /// At shares of the field of view.
  func depth(_ u: Double, _ v: Double) -> Double {
    (0.3..<0.6).contains(u) && (0.25..<0.75).contains(v) ? 1.2 + 0.1 * v : 2 + u + 0.3 * v
  }

  func exact(_ size: RasterSize) -> DepthMap { map(size) { depth($0, $1) } }

  func frame(seed: UInt64 = 1) -> DepthFrame {
    var generator = SplitMix64(seed: seed)
    let lidar = map(lidarSize) { depth($0, $1) * (1 + lidarNoise * generator.nextNormal()) }
    let relative = map(relativeSize) { u, v in
      let error = distortion * sin(5 * u + 1) * cos(4 * v) + networkNoise * generator.nextNormal()
      return (exp(error) / depth(u, v) - 0.02) / 0.2
    }
    return DepthFrame(
      index: 0, lidar: lidar,
      confidence: hasConfidence
        ? Raster(width: lidarSize.width, height: lidarSize.height, filledWith: 2) : nil,
      relative: relative, truth: exact(relativeSize))
  }

  private func map(_ size: RasterSize, _ value: (Double, Double) -> Double) -> DepthMap {
    var values: [Float] = []
    for row in 0..<size.height {
      for column in 0..<size.width {
        values.append(
          Float(
            value((Double(column) + 0.5) / Double(size.width), (Double(row) + 0.5) / Double(size.height))))
      }
    }
    return DepthMap(width: size.width, height: size.height, values: values)
  }

  /// Mean |d − g|/g of a map read at the truth's pixels; infinite where a value is missing. Pixels without truth do not count.
  static func error(_ map: DepthMap, _ truth: DepthMap) -> Double {
    var (sum, count) = (0.0, 0.0)
    BilinearSampler(source: truth.size, target: map.size).forEachSample(of: map) { index, depth in
      guard truth.values[index].isFinite else { return }
      sum += depth.isFinite ? abs(depth / Double(truth.values[index]) - 1) : .infinity
      count += 1
    }
    return sum / count
  }

  static func fuse(
    _ method: some FusionMethod, _ frame: DepthFrame, _ change: (inout FusionContext) -> Void = { _ in }
  ) -> FusionResult {
    var context = FusionContext(relativeKind: .disparity)
    context.outputSize = frame.truth?.size
    change(&context)
    var generator = SplitMix64(seed: 1)
    return method.fuse(frame, in: context, using: &generator)
  }
}

extension SplitMix64 {
  /// Nearly standard normal: the sum of twelve uniform values less 6.
  mutating func nextNormal() -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
  }
}
