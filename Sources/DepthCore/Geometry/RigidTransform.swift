/// A rotation followed by a translation: `p ↦ R p + t`, in metres.
public struct RigidTransform: Sendable, Hashable, BitwiseCopyable {
  /// Columns of R: the images of the source frame's x, y and z axes.
  public var xAxis: SIMD3<Double>, yAxis: SIMD3<Double>, zAxis: SIMD3<Double>
  /// t: where the source frame's origin lies.
  public var translation: SIMD3<Double>

  public init(xAxis: SIMD3<Double>, yAxis: SIMD3<Double>, zAxis: SIMD3<Double>, translation: SIMD3<Double>) {
    (self.xAxis, self.yAxis, self.zAxis) = (xAxis, yAxis, zAxis)
    self.translation = translation
  }

  /// No motion.
  public static let identity = RigidTransform(
    xAxis: [1, 0, 0], yAxis: [0, 1, 0], zAxis: [0, 0, 1], translation: .zero)

  /// The transformed point.
  public func callAsFunction(_ p: SIMD3<Double>) -> SIMD3<Double> { direction(p) + translation }
  /// The rotated vector, without the translation.
  public func direction(_ v: SIMD3<Double>) -> SIMD3<Double> { xAxis * v.x + yAxis * v.y + zAxis * v.z }

  /// 4×4 homogeneous matrix, row-major, as HDF5 and numpy store it.
  public var rowMajor: [Double] {
    [
      xAxis.x, yAxis.x, zAxis.x, translation.x,
      xAxis.y, yAxis.y, zAxis.y, translation.y,
      xAxis.z, yAxis.z, zAxis.z, translation.z,
      0, 0, 0, 1,
    ]
  }

  /// From a 4×4 homogeneous matrix, row-major; the last row is not looked at.
  /// - Precondition: `rowMajor.count == 16`.
  public init(rowMajor m: [Double]) {
    precondition(m.count == 16, "a homogeneous matrix has 16 elements")
    self.init(
      xAxis: [m[0], m[4], m[8]], yAxis: [m[1], m[5], m[9]], zAxis: [m[2], m[6], m[10]],
      translation: [m[3], m[7], m[11]])
  }
}
