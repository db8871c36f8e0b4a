public import DepthCore

/// What jobs take one core, about, as headers tell it. Measured with the standard options and without detected objects; see
/// docs/scale.md.
public enum PredictedTime: String, Sendable, CaseIterable {
  case evaluate, tune, calibrate, `import`

  /// Seconds of a scene, of a frame, and of a million pixels of its LiDAR map, of its truth and relative map, of its image.
  private var cost: (scene: Double, frame: Double, lidar: Double, maps: Double, image: Double) {
    switch self {
    case .evaluate: (0.05, 0.009, 1.76, 0.165, 0)
    case .tune: (0.05, 0.079, 1.55, 0.24, 0)
    case .calibrate: (0.05, 0.0005, 1.19, 0.084, 0)
    case .import: (0.3, 0.001, 0.1, 0.06, 0.017)
    }
  }

  /// Seconds of an image of a million pixels against one prediction, where nothing is fused.
  private static let comparison = 0.045

  /// - Parameter frames: How many of its frames are worked on.
  public func seconds(of scene: SceneHeader, frames: Int) -> Double {
    func millions(_ size: RasterSize?) -> Double { Double(size?.count ?? 0) / 1e6 }
    let truth = millions(scene.truthSize)
    let maps =
      self == .evaluate && !scene.hasLidar
      ? Self.comparison * truth * Double(max(1, scene.predictions.count))
      : cost.maps * (truth + millions(scene.relativeSize))
    let frame =
      cost.frame + cost.lidar * millions(scene.lidarSize) + maps + cost.image * millions(scene.colourSize)
    return cost.scene + Double(frames) * frame
  }

  /// The same as a whole number, by which scenes are divided.
  func microseconds(of scene: SceneHeader, frames: Int) -> Int {
    Int((1e6 * seconds(of: scene, frames: frames)).rounded())
  }
}
