import DepthCore
internal import Foundation

extension BoxMethod {
  /// The app's fallback where there are too few points.
  public static let sixPoint = BoxMethod(
    id: "six-point", title: "image box at the object's depths",
    source:
      "specification §5c, fallback: four corners at the median depth, the centre at the 5 % and 95 % depth",
    selection: .everything, ownMinimum: 1
  ) { object, options, _ throws(BoxError) in
    let yaw = object.camera.rightYaw
    let (corners, all) = object.sixPoints()
    // Width and height from the corners alone: the two points on the central ray may lie outside of them where
    // the camera looks up or down.
    var extent = PointExtent(corners, yaw: yaw)
    let depth = PointExtent(all, yaw: yaw)
    (extent.low.z, extent.high.z) = (depth.low.z, depth.high.z)
    return BoxFit(
      extent.box(floor: options.sizeFloor),
      BoxDiagnostics(
        method: "six-point", pointCount: object.points.count, reason: "turned like the camera, not estimated")
    )
  }
}

extension ObjectPoints {
  /// World points, metres: the corners of the image box at the median depth; and these with the centre at the
  /// 5 % and 95 % depth.
  fileprivate func sixPoints() -> (corners: [SIMD3<Double>], all: [SIMD3<Double>]) {
    let (left, right) = (Double(imageBox.minX), Double(imageBox.maxX))
    let (top, bottom) = (Double(imageBox.minY), Double(imageBox.maxY))
    let corners = [(left, top), (right, top), (left, bottom), (right, bottom)].map { u, v in
      camera.point(u: u, v: v, depth: medianDepth)
    }
    let shares = PointSelection(lowestDepthShare: 0.05, highestDepthShare: 0.95)
    let range = shares.depthRange(of: depths) ?? medianDepth...medianDepth
    let (u, v) = ((left + right) / 2, (top + bottom) / 2)
    let ends = [range.lowerBound, range.upperBound].map { camera.point(u: u, v: v, depth: $0) }
    return (corners, corners + ends)
  }
}

extension PosedCamera {
  /// Yaw of the horizontal direction to the right of where the camera looks.
  ///
  /// From the direction of view, not from the image's x axis, which is vertical when a phone is held upright.
  fileprivate var rightYaw: Double {
    let pose = worldFromCamera, forward = convention == .opencv ? pose.zAxis : -pose.zAxis
    // Looking straight down or up, the image's upward direction takes its place.
    let isVertical = forward.x * forward.x + forward.z * forward.z < 1e-12
    let ahead = isVertical ? (convention == .opencv ? -pose.yAxis : pose.yAxis) : forward
    // forward × up = (−z, 0, x).
    return atan2(ahead.x, -ahead.z)
  }
}
