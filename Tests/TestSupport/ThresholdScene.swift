public import DepthCore

/// Frames whose best thresholds are known: returns below one confidence are 15 % too far, those beyond one depth 10 %
/// too far; all others have a noise of 0.2 %.
public struct ThresholdScene: Sendable {
  /// Lowest confidence of returns that are right, and their farthest depth, metres.
  public var leastRight: UInt8 = 2, farthestRight = 3.0
  /// Seed of all values.
  public var seed: UInt64

  public init(seed: UInt64) { self.seed = seed }

  private static let size = RasterSize(width: 48, height: 36)

  /// A scene of two frames.
  public var header: SceneHeader {
    var header = SceneHeader(name: "scene \(seed)", frameCount: 2)
    (header.lidarSize, header.relativeSize) = (Self.size, Self.size)
    (header.truthSize, header.relativeKind) = (Self.size, .disparity)
    return header
  }

  /// A wall that leads away from half a metre to more than five.
  public func frame(_ index: Int) -> DepthFrame {
    var generator = SplitMix64(seed: seed, stream: "threshold scene", "\(index)")
    func unit() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
    let (near, far) = (0.4 + 0.2 * unit(), 5.5 + unit())
    var (truth, lidar, relative, levels) = ([Float](), [Float](), [Float](), [UInt8]())
    for pixel in 0..<Self.size.count {
      let share = Double(pixel % Self.size.width) / Double(Self.size.width - 1)
      let depth = near + (far - near) * share
      let level = UInt8(unit() * 3)
      let error =
        (depth > farthestRight ? 0.1 : 0) + (level < leastRight ? 0.15 : 0) + 0.007 * (unit() - 0.5)
      truth.append(Float(depth))
      lidar.append(Float(depth * (1 + error)))
      // A network that is a little wrong everywhere.
      relative.append(Float((1 / depth - 0.05) / 2.5 * (1 + 0.02 * (unit() - 0.5))))
      levels.append(level)
    }
    func map(_ values: [Float]) -> DepthMap {
      DepthMap(width: Self.size.width, height: Self.size.height, values: values)
    }
    return DepthFrame(
      index: index, lidar: map(lidar),
      confidence: Raster(width: Self.size.width, height: Self.size.height, values: levels),
      relative: map(relative), truth: map(truth))
  }
}
