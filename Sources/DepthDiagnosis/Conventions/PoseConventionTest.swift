import DepthEvaluation
public import DepthFusion

/// Which axes the poses have, and whether they take the camera to the world or the world to the camera: frames are
/// carried into each other under all four readings.
public struct PoseConventionTest: ConventionTest {
  public init() {}

  public let id = "pose-convention"
  public let title = "Poses"
  public let comparesFrames = true
  public let leastExcess = 0.002
  public let costUnit = "mean of min(|z−d|/d, 0.2), frames carried into each other"

  private static let readings: [(convention: CameraConvention, isInverted: Bool)] = [
    (.arkit, false), (.opencv, false), (.arkit, true), (.opencv, true),
  ]

  public func hypotheses(for scene: SceneHeader) -> [Hypothesis] {
    Self.readings.map { convention, isInverted in
      Hypothesis(
        convention.rawValue + (isInverted ? "-inverted" : ""),
        "the poses take the \(isInverted ? "world to the camera" : "camera to the world"), camera axes of "
          + (convention == .arkit
            ? "ARKit (x right, y up, z backward)" : "OpenCV (x right, y down, z forward)"),
        symptom: "points of different frames do not meet; what is placed drifts when the camera moves",
        fix: (isInverted ? "store the inverse matrices in camera/world_from_camera, and " : "")
          + "set the attribute convention of camera/world_from_camera to '\(convention.rawValue)'")
    }
  }

  public func declared(in scene: SceneHeader) -> String? {
    scene.cameraConvention == .unknown ? nil : scene.cameraConvention.rawValue
  }

  public func objection(to scene: SceneHeader) -> String? { Self.objection(to: scene) }

  /// What carrying frames into each other needs.
  static func objection(to scene: SceneHeader) -> String? {
    if !scene.hasPoses { return "the scene has no poses" }
    if scene.intrinsics == nil { return "the scene has no intrinsics" }
    return scene.frameCount < 2 ? "one frame cannot be carried into another" : nil
  }

  public func costs(_ frames: [DepthFrame], of scene: SceneHeader) -> [[Double]] {
    WarpAgreement.costs(frames, hypotheses: Self.readings.count) { frame, h in
      guard let intrinsics = frame.intrinsics, let pose = frame.worldFromCamera else { return nil }
      let reading = Self.readings[h]
      return TemporalConsistency.View(
        coarse: frame, intrinsics, reading.isInverted ? pose.inverse : pose, reading.convention)
    }
  }
}
