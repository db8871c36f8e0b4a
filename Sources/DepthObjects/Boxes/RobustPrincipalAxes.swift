extension BoxMethod {
  /// Principal axes of most points; the extents are those of all, because on an L-shaped footprint the bulk is
  /// the larger face alone.
  public static let robustPCA = BoxMethod(
    id: "robust-pca", title: "principal axes of the footprint's bulk",
    source:
      "Rousseeuw & Van Driessen 1999 (FAST-MCD), then as pca-xz on the points within its 97.5 % ellipse",
    selection: .eroded, isRandom: true
  ) { object, options, generator throws(BoxError) in
    let points = Footprint(object.points).points
    var bulk = points, reason = "half of the points lie on a line: axes of all of them"
    if let found = MinimumCovariance(points, using: &generator), found.inliers.count > 2 {
      bulk = found.inliers.map { points[$0] }
      reason = "axes without \(points.count - bulk.count) points away from the bulk"
    }
    let yaw = try Footprint(bulk).moments.principalAxes().yaw
    // Resamples of the bulk: a search in each of them would take seconds.
    return try YawEstimate(yaw: yaw, reason: reason, resampled: Footprint(bulk)) { $0.moments.principalYaw }
      .fit(object, options, method: "robust-pca", using: &generator)
  }
}
