import DepthEvaluation
import DepthFusion

/// Frames whose best thresholds are known: returns of less than full confidence are 15 % too far, those beyond 3 m
/// 10 % too near.
enum ThresholdScene {
  static func context(_ index: Int) -> SceneContext {
    var header = SceneHeader(name: "scene \(index)", frameCount: 2)
    (header.lidarSize, header.relativeSize) = (size, size)
    (header.truthSize, header.relativeKind) = (size, .disparity)
    return SceneContext(header: header, name: header.name, dataDigest: "digest")
  }

  static let size = RasterSize(width: 48, height: 36)

  static func frame(_ index: Int, of scene: Int) -> DepthFrame {
    var generator = SplitMix64(seed: UInt64(100 * scene + index))
    func unit() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
    let (near, far) = (0.4 + 0.4 * unit(), 5 + unit())
    var (truth, lidar, relative, levels) = ([Float](), [Float](), [Float](), [UInt8]())
    for pixel in 0..<size.count {
      let share = Double(pixel % size.width) / Double(size.width - 1)
      let depth = near + (far - near) * share
      let level = unit() < 0.3 ? UInt8(unit() * 2) : 2
      let error = (depth > 3 ? -0.1 : 0) + (level < 2 ? 0.15 : 0) + 0.004 * (unit() - 0.5)
      truth.append(Float(depth))
      lidar.append(Float(depth * (1 + error)))
      // A network that is a little wrong everywhere.
      relative.append(Float((1 / depth - 0.05) / 2.5 * (1 + 0.01 * (unit() - 0.5))))
      levels.append(level)
    }
    func map(_ values: [Float]) -> DepthMap {
      DepthMap(width: size.width, height: size.height, values: values)
    }
    return DepthFrame(
      index: index, lidar: map(lidar),
      confidence: Raster(width: size.width, height: size.height, values: levels), relative: map(relative),
      truth: map(truth))
  }
}
