extension RigidTransform {
  /// Takes a point that one camera sees to the coordinates of another, in OpenCV axes (x right, y down, z forward)
  /// whatever those of the poses are.
  /// - Precondition: The convention is known, and the axes of `target` are orthonormal.
  public static func cameraMotion(
    from source: RigidTransform, to target: RigidTransform, _ convention: CameraConvention
  ) -> RigidTransform {
    precondition(convention != .unknown, "the axes of the poses are known")
    let cameraFromWorld = target.inverse
    // ARKit's camera looks along −z with y up: (x, −y, −z) of OpenCV's, both ways.
    let flip: SIMD3<Double> = convention == .arkit ? [1, -1, -1] : [1, 1, 1]
    func moved(_ p: SIMD3<Double>) -> SIMD3<Double> { flip * cameraFromWorld(source(flip * p)) }
    let origin = moved(.zero)
    return RigidTransform(
      xAxis: moved([1, 0, 0]) - origin, yAxis: moved([0, 1, 0]) - origin, zAxis: moved([0, 0, 1]) - origin,
      translation: origin)
  }
}
