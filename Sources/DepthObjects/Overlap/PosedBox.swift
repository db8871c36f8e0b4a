public import DepthCore

/// A box in any rotation.
public struct PosedBox: Sendable, Hashable, BitwiseCopyable {
  /// Axes of the box, world, orthonormal and right-handed; the translation is its centre, metres.
  public var pose: RigidTransform
  /// Along the pose's axes, metres, not negative.
  public var size: SIMD3<Double>
  public init(pose: RigidTransform, size: SIMD3<Double>) { (self.pose, self.size) = (pose, size) }

  /// The upright box, its axes in the order (length, up, width).
  public init(_ box: OrientedBox) {
    let (length, width) = Footprint.axes(yaw: box.yaw)
    self.init(
      pose: RigidTransform(
        xAxis: [length.x, 0, length.y], yAxis: [0, 1, 0], zAxis: [width.x, 0, width.y],
        translation: box.center),
      size: box.size)
  }

  /// Metres, world.
  public var center: SIMD3<Double> { pose.translation }
  /// Cubic metres.
  public var volume: Double { size.x * size.y * size.z }

  /// World; corner i lies on the positive side of axis k where bit k of i is set.
  public var corners: [SIMD3<Double>] {
    (0..<8).map { i in
      let sign = SIMD3(i & 1 == 0 ? -0.5 : 0.5, i & 2 == 0 ? -0.5 : 0.5, i & 4 == 0 ? -0.5 : 0.5)
      return pose(size * sign)
    }
  }

  /// Whether a world point lies in the box or on its surface.
  public func contains(_ point: SIMD3<Double>) -> Bool {
    let offset = point - center
    let local = SIMD3(pose.xAxis.dot(offset), pose.yAxis.dot(offset), pose.zAxis.dot(offset))
    return abs(local.x) <= size.x / 2 && abs(local.y) <= size.y / 2 && abs(local.z) <= size.z / 2
  }

  /// The six half-spaces whose intersection is the box.
  var faces: [HalfSpace] {
    zip([pose.xAxis, pose.yAxis, pose.zAxis], [size.x, size.y, size.z]).flatMap { axis, extent in
      let offset = axis.dot(center)
      return [HalfSpace(axis, offset + extent / 2), HalfSpace(-axis, -offset + extent / 2)]
    }
  }
}

/// The points p with n·p ≤ offset.
struct HalfSpace: Sendable {
  /// Outward unit normal.
  var normal: SIMD3<Double>
  /// Metres.
  var offset: Double
  init(_ normal: SIMD3<Double>, _ offset: Double) { (self.normal, self.offset) = (normal, offset) }
  /// Signed distance, metres: positive outside.
  func distance(_ point: SIMD3<Double>) -> Double { normal.dot(point) - offset }
}

extension SIMD3<Double> {
  func dot(_ other: SIMD3<Double>) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    [y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x]
  }

  var length: Double { dot(self).squareRoot() }
}
