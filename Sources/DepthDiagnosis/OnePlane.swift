import DepthCore

extension DepthGrid {
  /// Of the returns, the share that must lie beside the plane, and by how much of the disparity.
  private static let (leastShare, leastDistance) = (0.05, 0.05)
  /// Passes of the fit; the next one skips what lies farther away than so many medians.
  private static let (passes, cut) = (5, 2.0)

  /// Whether nearly all returns lie on one plane, whose disparity is linear in the pixel: moved over the image it keeps the order of near
  /// and far, and is the same up to a factor and a constant. So neither a place nor a turn shows in it.
  var isOnePlane: Bool {
    let known = disparity.indices.filter { disparity[$0].isFinite }
    guard known.count >= 100 else { return false }
    let points = known.map { SIMD3(1, Double($0 % size.width), Double($0 / size.width)) }
    var (inner, distances): ([Int], [Double]) = (Array(known.indices), [])
    for _ in 0..<Self.passes {
      guard let plane = Self.plane(inner.map { (points[$0], disparity[known[$0]]) }) else { return false }
      distances = known.indices.map { abs((plane * points[$0]).sum() / disparity[known[$0]] - 1) }
      let limit = max(Self.cut * (OrderStatistics.median(of: distances) ?? 0), Self.leastDistance / 5)
      inner = distances.indices.filter { distances[$0] <= limit }
    }
    let beside = distances.count { $0 > Self.leastDistance }
    return Double(beside) < Self.leastShare * Double(known.count)
  }

  /// Least squares; nil where the points do not determine it.
  private static func plane(_ points: [(at: SIMD3<Double>, value: Double)]) -> SIMD3<Double>? {
    // About the mean, so that two unknowns are left.
    let n = Double(points.count)
    guard n >= 3 else { return nil }
    let mean = points.reduce(SIMD3<Double>.zero) { $0 + $1.at } / n,
      level = points.reduce(0) { $0 + $1.value } / n
    var (xx, xy, yy, xv, yv) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (at, value) in points {
      let d = at - mean, v = value - level
      (xx, xy, yy, xv, yv) = (xx + d.y * d.y, xy + d.y * d.z, yy + d.z * d.z, xv + d.y * v, yv + d.z * v)
    }
    let determinant = xx * yy - xy * xy
    guard determinant > 1e-9 * xx * yy else { return nil }
    let (a, b) = ((yy * xv - xy * yv) / determinant, (xx * yv - xy * xv) / determinant)
    return SIMD3(level - a * mean.y - b * mean.z, a, b)
  }
}
