/// A box that stands upright in a y-up world and is turned about the vertical axis.
public struct OrientedBox: Sendable, Hashable, BitwiseCopyable {
  /// Centre, world, metres.
  public var center: SIMD3<Double>
  /// (length along the yaw axis, height, width), metres.
  public var size: SIMD3<Double>
  /// Radians: the length axis points at (cos yaw, 0, sin yaw).
  public var yaw: Double

  public init(center: SIMD3<Double>, size: SIMD3<Double>, yaw: Double) {
    (self.center, self.size, self.yaw) = (center, size, yaw)
  }
}
