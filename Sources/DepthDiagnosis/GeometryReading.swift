import DepthEvaluation
import DepthFusion

/// One reading of everything that carries frames into each other.
struct GeometryReading {
  var convention: CameraConvention
  var isInverted: Bool
  /// Metres per unit of the poses' translations.
  var poseUnit: Double
  /// Whether depth is of the other kind than declared.
  var otherKind: DepthKind?
  var intrinsics: IntrinsicsReading

  /// A frame read like this; nil where it lacks a camera.
  func view(_ frame: DepthFrame, limit: Int) -> TemporalConsistency.View? {
    guard let camera = frame.intrinsics, var pose = frame.worldFromCamera else { return nil }
    pose.translation *= poseUnit
    let right = intrinsics.corrected(camera)
    var depth = DepthGrid(frame, limit: limit).depth
    if let otherKind { depth = depth.converted(to: otherKind, seenBy: right) }
    return TemporalConsistency.View(
      depth: depth, intrinsics: right, worldFromCamera: isInverted ? pose.inverse : pose,
      convention: convention)
  }
}
