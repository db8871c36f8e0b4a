internal import DepthCore

/// The rays of a camera image: `origin + z · (base + u · right + v · down)`, with z the planar depth.
struct PixelRays: Sendable {
  let origin: SIMD3<Double>, base: SIMD3<Double>, right: SIMD3<Double>, down: SIMD3<Double>
  private let intrinsics: CameraIntrinsics, pose: RigidTransform

  /// - Parameter intrinsics: The camera; (u, v) are pixels of its `imageSize`, v counted from the top.
  /// - Parameter worldFromCamera: ARKit pose: x right, y up, looking along −z.
  init(_ intrinsics: CameraIntrinsics, worldFromCamera pose: RigidTransform) {
    (origin, right) = (pose.translation, pose.xAxis / intrinsics.fx)
    down = -pose.yAxis / intrinsics.fy
    base = -pose.zAxis - right * intrinsics.cx - down * intrinsics.cy
    (self.intrinsics, self.pose) = (intrinsics, pose)
  }

  /// The world point at planar depth `depth` behind image point (u, v).
  func point(u: Double, v: Double, depth: Double) -> SIMD3<Double> {
    origin + (base + right * u + down * v) * depth
  }

  /// Image point and planar depth of a world point; nil behind the camera.
  func projected(_ point: SIMD3<Double>) -> (u: Double, v: Double, depth: Double)? {
    let p = point - origin, depth = -(p * pose.zAxis).sum()
    guard depth > 0.02 else { return nil }
    let u = intrinsics.cx + intrinsics.fx * (p * pose.xAxis).sum() / depth
    return (u, intrinsics.cy - intrinsics.fy * (p * pose.yAxis).sum() / depth, depth)
  }
}
