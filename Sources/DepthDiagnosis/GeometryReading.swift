import DepthCore

/// One reading of everything that carries frames into each other.
struct GeometryReading {
  var convention: CameraConvention, isInverted: Bool
  /// Metres per unit of the poses' translations.
  var poseUnit: Double
  /// What the file says that depth is, which made it planar with the declared K, and what it is.
  var declaredKind: DepthKind, kind: DepthKind
  var intrinsics: IntrinsicsReading

  /// A frame read like this; nil where it lacks a camera.
  func view(_ frame: DepthFrame, limit: Int) -> PosedDepth? {
    guard let camera = frame.intrinsics, var pose = frame.worldFromCamera else { return nil }
    pose.translation *= poseUnit
    let right = intrinsics.corrected(camera)
    var depth = DepthGrid(frame, limit: limit).depth
    if kind != declaredKind || intrinsics != .declared {
      if declaredKind == .distance { depth = depth.converted(to: .planar, seenBy: camera) }
      if kind == .distance { depth = depth.converted(to: .distance, seenBy: right) }
    }
    return PosedDepth(
      depth: depth, intrinsics: right, worldFromCamera: isInverted ? pose.inverse : pose,
      convention: convention)
  }
}
