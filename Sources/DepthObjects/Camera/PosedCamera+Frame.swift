public import DepthFusion

extension PosedCamera {
  /// The camera of a frame, in a y-up world; nil where the frame has no intrinsics or pose, or the scene does not say
  /// what the pose's axes are. A z-up world is turned about x: (x, y, z) becomes (x, z, −y).
  public init?(of frame: DepthFrame, in scene: SceneHeader) {
    guard let intrinsics = frame.intrinsics, var pose = frame.worldFromCamera,
      scene.cameraConvention != .unknown
    else { return nil }
    if scene.upAxis == .z {
      func upright(_ v: SIMD3<Double>) -> SIMD3<Double> { [v.x, v.z, -v.y] }
      pose = RigidTransform(
        xAxis: upright(pose.xAxis), yAxis: upright(pose.yAxis), zAxis: upright(pose.zAxis),
        translation: upright(pose.translation))
    }
    self.init(intrinsics, pose, scene.cameraConvention)
  }
}
