public import DepthCore

extension UpAxis {
  /// A vector of a z-up world in the y-up world that Fathom computes in: (x, y, z) becomes (x, z, −y).
  public static func yUp(_ v: SIMD3<Double>) -> SIMD3<Double> { [v.x, v.z, -v.y] }
}

extension OrientedBox {
  /// A box of a z-up world in the y-up world: the centre is turned about x, and an angle that counts from x towards y,
  /// which is −z now, counts the other way round.
  /// - Parameter center: In the z-up world, metres.
  /// - Parameter size: Along the yaw axis, across it, and up, metres.
  /// - Parameter yaw: About z, radians: the first axis points at (cos yaw, sin yaw, 0).
  public init(zUpCenter center: SIMD3<Double>, size: SIMD3<Double>, yaw: Double) {
    self.init(center: UpAxis.yUp(center), size: [size.x, size.z, size.y], yaw: -yaw)
  }
}
