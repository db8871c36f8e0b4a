public import DepthCore

extension PosedCamera {
  /// The camera of a frame, in a y-up world; nil where the frame has no intrinsics or usable pose, or the scene does
  /// not say what the pose's axes are. A z-up world is turned about x: (x, y, z) becomes (x, z, −y).
  public init?(of frame: DepthFrame, in scene: SceneHeader) {
    guard let intrinsics = frame.intrinsics, var pose = frame.worldFromCamera, pose.isUsable,
      scene.cameraConvention != .unknown
    else { return nil }
    if scene.upAxis == .z {
      pose = RigidTransform(
        xAxis: UpAxis.yUp(pose.xAxis), yAxis: UpAxis.yUp(pose.yAxis), zAxis: UpAxis.yUp(pose.zAxis),
        translation: UpAxis.yUp(pose.translation))
    }
    self.init(intrinsics, pose, scene.cameraConvention)
  }
}
