extension RigidTransform {
  /// From a rotation as a quaternion (x, y, z, w).
  /// - Precondition: It is a unit one.
  package init(quaternion q: SIMD4<Double>, translation: SIMD3<Double>) {
    let (x, y, z, w) = (q.x, q.y, q.z, q.w)
    self.init(
      xAxis: [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
      yAxis: [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
      zAxis: [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], translation: translation)
  }
}
