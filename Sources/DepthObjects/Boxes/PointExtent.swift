import DepthCore

/// Smallest and largest coordinates of points along the axes of an upright box, metres.
struct PointExtent {
  let yaw: Double
  /// Along (length, up, width).
  var low: SIMD3<Double>, high: SIMD3<Double>

  /// - Precondition: At least one point.
  init(_ points: [SIMD3<Double>], yaw: Double) {
    precondition(!points.isEmpty, "an extent needs points")
    self.yaw = yaw
    let (length, width) = Footprint.axes(yaw: yaw)
    (low, high) = (SIMD3(repeating: .infinity), SIMD3(repeating: -.infinity))
    for p in points {
      let q = SIMD3(length.x * p.x + length.y * p.z, p.y, width.x * p.x + width.y * p.z)
      low = pointwiseMin(low, q)
      high = pointwiseMax(high, q)
    }
  }

  /// The box between them.
  /// - Parameter floor: Least size along each axis, metres.
  func box(floor: Double) -> OrientedBox {
    let (length, width) = Footprint.axes(yaw: yaw)
    let middle = (low + high) / 2, size = pointwiseMax(high - low, SIMD3(repeating: floor))
    let ground = length * middle.x + width * middle.z
    return OrientedBox(center: [ground.x, middle.y, ground.y], size: size, yaw: yaw)
  }
}
