import DepthCore

extension BoxMethod {
  /// The specification's method.
  public static let pcaXZ = BoxMethod(
    id: "pca-xz", title: "principal axes of the footprint",
    source: "specification §5c: θ = atan2(2·Cxz, Cxx − Czz)/2", selection: .specified
  ) { object, options, generator throws(BoxError) in
    try principalAxes(object, options, method: "pca-xz", using: &generator)
  }

  /// The same on points that are surer to belong to the object.
  public static let pcaXZEroded = BoxMethod(
    id: "pca-xz-eroded", title: "principal axes of the footprint, eroded mask",
    source: "specification §5c on an eroded mask and the 5th to 95th percentile of depth", selection: .eroded
  ) { object, options, generator throws(BoxError) in
    try principalAxes(object, options, method: "pca-xz-eroded", using: &generator)
  }

  private static func principalAxes(
    _ object: ObjectPoints, _ options: BoxOptions, method: String, using generator: inout SplitMix64
  ) throws(BoxError) -> BoxFit {
    let yaw = try Footprint(object.points).moments.principalAxes().yaw
    return try YawEstimate(yaw: yaw, reason: "direction of the largest variance") { $0.moments.principalYaw }
      .fit(object, options, method: method, using: &generator)
  }
}
