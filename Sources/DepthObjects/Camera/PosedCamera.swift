public import DepthCore

/// A pinhole camera in the world: takes image points to space and back (domain §5).
///
/// Image points count from the outer corner of the top-left pixel, v downwards. Depth is planar.
public struct PosedCamera: Sendable, Hashable {
  /// Pixels of the image that they belong to.
  public var intrinsics: CameraIntrinsics
  /// Pose, in the axes of ``convention``.
  public var worldFromCamera: RigidTransform
  /// Axes of the pose: OpenCV's (x right, y down, z forward) or ARKit's (x right, y up, z backward).
  public var convention: CameraConvention

  /// - Precondition: `convention` is known.
  public init(
    _ intrinsics: CameraIntrinsics, _ worldFromCamera: RigidTransform, _ convention: CameraConvention
  ) {
    precondition(convention != .unknown, "the axes of a pose must be known")
    (self.intrinsics, self.worldFromCamera, self.convention) = (intrinsics, worldFromCamera, convention)
  }

  /// Where the camera stands, world, metres.
  public var position: SIMD3<Double> { worldFromCamera.translation }

  /// The point that is seen at (u, v) at a planar depth, world, metres.
  public func point(u: Double, v: Double, depth: Double) -> SIMD3<Double> {
    worldFromCamera(ray(u: u, v: v) * depth)
  }

  /// Direction from the camera through an image point, world; its length is that of depth 1.
  public func direction(u: Double, v: Double) -> SIMD3<Double> { worldFromCamera.direction(ray(u: u, v: v)) }

  /// Image point and planar depth of a world point; nil behind the camera.
  public func project(_ point: SIMD3<Double>) -> (u: Double, v: Double, depth: Double)? {
    CameraProjection(self)(point)
  }

  /// Planar depth of a world point, metres; negative behind the camera.
  public func depth(of point: SIMD3<Double>) -> Double {
    let forward = convention == .opencv ? worldFromCamera.zAxis : -worldFromCamera.zAxis
    return (point - position).dot(forward)
  }

  /// In the pose's axes.
  private func ray(u: Double, v: Double) -> SIMD3<Double> {
    let (x, y) = ((u - intrinsics.cx) / intrinsics.fx, (v - intrinsics.cy) / intrinsics.fy)
    return convention == .opencv ? [x, y, 1] : [x, -y, -1]
  }
}

/// A camera's way from the world to its image, with the pose turned over once for many points.
public struct CameraProjection: Sendable {
  private let intrinsics: CameraIntrinsics, cameraFromWorld: RigidTransform, convention: CameraConvention

  public init(_ camera: PosedCamera) {
    (intrinsics, convention) = (camera.intrinsics, camera.convention)
    cameraFromWorld = camera.worldFromCamera.inverse
  }

  /// Image point and planar depth of a world point; nil behind the camera.
  public func callAsFunction(_ point: SIMD3<Double>) -> (u: Double, v: Double, depth: Double)? {
    let p = cameraFromWorld(point)
    let (y, z) = convention == .opencv ? (p.y, p.z) : (-p.y, -p.z)
    guard z > 0 else { return nil }
    return (p.x / z * intrinsics.fx + intrinsics.cx, y / z * intrinsics.fy + intrinsics.cy, z)
  }
}
