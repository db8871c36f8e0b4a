internal import Foundation

extension BoxMethod {
  /// Right for a footprint that is seen whole, such as from above; follows single stray points.
  public static let minAreaRectangle = BoxMethod(
    id: "min-area-rect", title: "smallest rectangle around the footprint",
    source: "Freeman & Shapira 1975: one of its sides lies on an edge of the convex hull", selection: .eroded
  ) { object, options, generator throws(BoxError) in
    try YawEstimate(
      yaw: minAreaYaw(Footprint(object.points)), reason: "side of the smallest rectangle",
      repeated: minAreaYaw
    ).fit(object, options, method: "min-area-rect", using: &generator)
  }

  /// Yaw of the longer side, −90°…90°; 0 for points that are all equal.
  ///
  /// Every edge of the hull against every corner: hulls of objects have some tens of them, for which rotating
  /// calipers would gain nothing.
  static func minAreaYaw(_ footprint: Footprint) -> Double {
    let hull = convexHull(footprint.points)
    var (best, yaw) = (Double.infinity, 0.0)
    for (start, end) in zip(hull, hull.dropFirst() + hull.prefix(1)) where start != end {
      let along = (end - start) / (end - start).dot(end - start).squareRoot()
      let across = SIMD2(-along.y, along.x)
      let (a, b) = (range(hull, along), range(hull, across))
      guard a * b < best else { continue }
      let axis = a >= b ? along : across
      (best, yaw) = (a * b, atan(axis.y / axis.x))
    }
    return yaw
  }

  private static func range(_ points: [SIMD2<Double>], _ axis: SIMD2<Double>) -> Double {
    var (low, high) = (Double.infinity, -Double.infinity)
    for point in points {
      let t = point.dot(axis)
      (low, high) = (min(low, t), max(high, t))
    }
    return high - low
  }
}
