public import DepthCore

/// Seconds that jobs take one core, about, as headers tell them: of a scene, of a frame, and of a million pixels of its truth and
/// relative map. Measured with the standard options and without detected objects; see docs/scale.md.
public enum PredictedTime: String, Sendable, CaseIterable {
  case evaluate, tune, calibrate, `import`

  private var cost: (scene: Double, frame: Double, pixels: Double) {
    switch self {
    case .evaluate: (0.05, 0.12, 0.14)
    case .tune: (0.05, 0.35, 0.02)
    case .calibrate: (0.05, 0.03, 0.02)
    case .import: (0.2, 0.01, 0.05)
    }
  }

  /// - Parameter frames: How many of its frames are worked on.
  public func seconds(of scene: SceneHeader, frames: Int) -> Double {
    let pixels = Double((scene.truthSize?.count ?? 0) + (scene.relativeSize?.count ?? 0)) / 1e6
    return cost.scene + Double(frames) * (cost.frame + cost.pixels * pixels)
  }

  /// The same as a whole number, by which scenes are divided.
  func microseconds(of scene: SceneHeader, frames: Int) -> Int {
    Int((1e6 * seconds(of: scene, frames: frames)).rounded())
  }
}
