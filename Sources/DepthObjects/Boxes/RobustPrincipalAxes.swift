import DepthFusion

extension BoxMethod {
  /// Principal axes and extents without the points that do not belong to the bulk.
  public static let robustPCA = BoxMethod(
    id: "robust-pca", title: "principal axes of the footprint's bulk",
    source:
      "Rousseeuw & Van Driessen 1999 (FAST-MCD), then as pca-xz on the points within its 97.5 % ellipse",
    selection: .everything
  ) { object, generator throws(BoxError) in
    let footprint = Footprint(object.points)
    var bulk = object
    var reason = "half of the points lie on a line: all were used"
    if let found = MinimumCovariance(footprint.points, using: &generator), found.inliers.count > 2 {
      bulk.points = found.inliers.map { object.points[$0] }
      bulk.depths = found.inliers.map { object.depths[$0] }
      reason = "\(object.points.count - found.inliers.count) points away from the bulk were left out"
    }
    let yaw = try Footprint(bulk.points).moments.principalAxes().yaw
    return try YawEstimate(yaw: yaw, reason: reason) { $0.moments.principalYaw }
      .fit(bulk, method: "robust-pca", using: &generator)
  }
}
