import DepthEvaluation
public import DepthFusion

/// Whether LiDAR depth is distance to the camera's plane, as frames hold it, or still the length of the ray, or was
/// made planar once too often.
public struct DepthKindTest: ConventionTest {
  public init() {}

  public let id = "depth-kind"
  public let title = "Planar depth or ray length"
  public let comparesFrames = true
  public let leastExcess = 0.001
  public let costUnit = "mean of min(|z−d|/d, 0.2), frames carried into each other"

  public func hypotheses(for scene: SceneHeader) -> [Hypothesis] {
    [
      Hypothesis(scene.lidarKind.rawValue, Self.statement(scene.lidarKind), fix: "nothing"),
      Hypothesis(
        Self.other(scene.lidarKind).rawValue, Self.statement(Self.other(scene.lidarKind)),
        symptom: "walls bulge: the corners of the image are too far or too near",
        fix: "set the attribute kind of lidar/depth to '\(Self.other(scene.lidarKind).rawValue)'"),
    ]
  }

  private static func other(_ kind: DepthKind) -> DepthKind { kind == .planar ? .distance : .planar }

  private static func statement(_ kind: DepthKind) -> String {
    kind == .planar
      ? "LiDAR depth is the distance to the camera's plane" : "LiDAR depth is the length of the ray"
  }

  public func declared(in scene: SceneHeader) -> String? { scene.lidarKind.rawValue }

  public func objection(to scene: SceneHeader) -> String? {
    PoseConventionTest.objection(to: scene)
      ?? (scene.cameraConvention == .unknown ? "the camera convention is not declared" : nil)
  }

  public func costs(_ frames: [DepthFrame], of scene: SceneHeader) -> [[Double]] {
    WarpAgreement.costs(frames, hypotheses: 2) { frame, h in
      guard let intrinsics = frame.intrinsics, let pose = frame.worldFromCamera else { return nil }
      var frame = frame
      if h == 1 {
        frame.lidar = Self.converted(frame.lidar, intrinsics, toPlanar: scene.lidarKind == .planar)
      }
      return TemporalConsistency.View(coarse: frame, intrinsics, pose, scene.cameraConvention)
    }
  }

  /// z = ray length/√(1 + x² + y²), or back.
  private static func converted(
    _ map: DepthMap, _ intrinsics: CameraIntrinsics, toPlanar: Bool
  ) -> DepthMap {
    let camera = intrinsics.scaled(to: map.size)
    var result = map
    for row in 0..<map.height {
      let y = (Double(row) + 0.5 - camera.cy) / camera.fy
      for column in 0..<map.width {
        let x = (Double(column) + 0.5 - camera.cx) / camera.fx
        let length = (1 + x * x + y * y).squareRoot()
        result[row, column] = Float(Double(map[row, column]) * (toPlanar ? 1 / length : length))
      }
    }
    return result
  }
}
