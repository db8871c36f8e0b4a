import FathomStorage
import DepthCore
import DepthDataset

/// What depths a scene has, so that all its pictures share one scale.
enum SceneDepths {
  private static let mostFrames = 32  // Frames that are looked at, evenly spread over the scene.

  /// From the 2nd to the 98th percentile of the LiDAR's returns, or without a LiDAR of the truth, outwards to whole decimetres, metres; the app's 0.5–5 where
  /// there are none.
  static func range(
    of scene: SceneHeader, from reader: borrowing some FrameSource & ~Copyable
  ) throws(FathomError) -> ClosedRange<Double> {
    let count = min(scene.frameCount, mostFrames)
    var depths: [Float] = []
    for step in 0..<count {
      let frame = try reader.frame(
        step * scene.frameCount / count, of: scene, including: scene.hasLidar ? [.lidar] : [.truth])
      depths += (scene.hasLidar ? frame.lidar : frame.truth)?.values.filter { $0 > 0 && $0.isFinite } ?? []
    }
    depths.sort()
    guard let last = depths.indices.last else { return 0.5...5 }
    let (low, high) = (
      Double(depths[Int((0.02 * Double(last)).rounded())]),
      Double(depths[Int((0.98 * Double(last)).rounded())])
    )
    let near = (10 * low).rounded(.down) / 10
    return near...max((10 * high).rounded(.up) / 10, near + 0.1)
  }
}
