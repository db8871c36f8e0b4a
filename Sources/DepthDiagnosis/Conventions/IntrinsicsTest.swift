import DepthEvaluation
public import DepthFusion

/// Whether the intrinsics belong to the image: transposed axes, another image's size, a principal point counted from
/// the other edge.
public struct IntrinsicsTest: ConventionTest {
  public init() {}

  public let id = "intrinsics"
  public let title = "Intrinsics"
  public let comparesFrames = true
  public let leastExcess = 0.001
  public let costUnit = "mean of min(|z−d|/d, 0.2), frames carried into each other"

  private typealias Reading = (
    id: String, statement: String, symptom: String, fix: String,
    change: @Sendable (CameraIntrinsics) -> CameraIntrinsics
  )

  private static let readings: [Reading] = [
    ("declared", "the intrinsics are as declared", "", "nothing", { $0 }),
    (
      "half", "K belongs to an image of half the size", "everything is too small and too near the axis",
      "set image_size of camera to half, or double K",
      { Self.scaled($0, 2) }
    ),
    (
      "double", "K belongs to an image of twice the size", "everything is too large and too far off the axis",
      "set image_size of camera to twice, or halve K",
      { Self.scaled($0, 0.5) }
    ),
    (
      "swapped", "fx and fy, cx and cy are swapped",
      "points are shifted and squeezed: K of the portrait image",
      "store K of the landscape image: swap fx with fy and cx with cy",
      { CameraIntrinsics(fx: $0.fy, fy: $0.fx, cx: $0.cy, cy: $0.cx, imageSize: $0.imageSize) }
    ),
    (
      "cy-from-below", "cy counts from the bottom",
      "points are shifted up or down by (H − 2cy)/fy of their depth",
      "store cy from the top: H − cy",
      {
        CameraIntrinsics(
          fx: $0.fx, fy: $0.fy, cx: $0.cx, cy: Double($0.imageSize.height) - $0.cy, imageSize: $0.imageSize)
      }
    ),
  ]

  private static func scaled(_ k: CameraIntrinsics, _ factor: Double) -> CameraIntrinsics {
    CameraIntrinsics(
      fx: k.fx * factor, fy: k.fy * factor, cx: k.cx * factor, cy: k.cy * factor, imageSize: k.imageSize)
  }

  /// The readings that differ for this camera: where cy lies at half the height, it is the same from below.
  private static func readings(for scene: SceneHeader) -> [Reading] {
    guard let declared = scene.intrinsics else { return readings }
    let image = declared.imageSize
    let tolerance = sameShare * Double(max(image.width, image.height))
    return readings.filter { reading in
      let k = reading.change(declared)
      return reading.id == "declared"
        || [k.fx - declared.fx, k.fy - declared.fy, k.cx - declared.cx, k.cy - declared.cy]
          .contains { abs($0) > tolerance }
    }
  }

  /// Two cameras are one where no number differs by more than this share of the image's longer side.
  private static let sameShare = 0.005

  public func hypotheses(for scene: SceneHeader) -> [Hypothesis] {
    Self.readings(for: scene).map { Hypothesis($0.id, $0.statement, symptom: $0.symptom, fix: $0.fix) }
  }

  public func declared(in scene: SceneHeader) -> String? { "declared" }

  public func objection(to scene: SceneHeader) -> String? {
    PoseConventionTest.objection(to: scene)
      ?? (scene.cameraConvention == .unknown ? "the camera convention is not declared" : nil)
  }

  public func costs(_ frames: [DepthFrame], of scene: SceneHeader) -> [[Double]] {
    let readings = Self.readings(for: scene)
    return WarpAgreement.costs(frames, hypotheses: readings.count) { frame, h in
      guard let intrinsics = frame.intrinsics, let pose = frame.worldFromCamera else { return nil }
      return TemporalConsistency.View(
        coarse: frame, readings[h].change(intrinsics), pose, scene.cameraConvention)
    }
  }
}
