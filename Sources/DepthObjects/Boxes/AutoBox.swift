import DepthCore
internal import Foundation

extension BoxMethod {
  /// Looks at which faces are seen before it decides how to find the yaw and where the sides lie.
  public static let auto = BoxMethod(
    id: "auto", title: "by the visible faces",
    source:
      "closeness and orthogonal lines on two vertical faces, the line of one face, else the smallest rectangle",
    selection: .everything
  ) { object, options, generator throws(BoxError) in
    let view = VisibleFaces(object.points)
    let estimate = YawEstimate(yaw: view.yaw, reason: view.reason) { VisibleFaces.edgeYaw($0, view.kind) }
    var fit = try estimate.fit(object, options, method: view.kind.rawValue, using: &generator)
    fit = BoxFit(view.box(of: object.points, floor: options.sizeFloor), fit.diagnostics)
    return fit
  }
}

/// Which faces of a box a cloud of points shows.
struct VisibleFaces {
  enum Kind: String {
    case twoFaces = "closeness", oneFace = "pca-xz", footprint = "min-area-rect"
  }
  let kind: Kind
  let yaw: Double
  let reason: String
  private let edges: VisibleEdges?

  /// A face needs this share of the points, and this number; and it reaches this many times the noise from the
  /// other one, or it is that one's noise.
  private static let faceShare = 0.1, facePoints = 8, faceReach = 4.0
  /// More than this share of points on neither edge, and there are no edges.
  private static let strayLimit = 0.35

  init(_ points: [SIMD3<Double>]) {
    let top = TopFace(points)
    let sides = Footprint(top.sides)
    let found = VisibleEdges(sides)
    let (first, second) = found.counts
    let needed = max(Self.facePoints, Int(Self.faceShare * Double(sides.points.count)))
    let seen = top.isSeen ? "the top (\(points.count - top.sides.count) points) and " : ""
    if sides.points.count < max(2 * Self.facePoints, points.count / 20) || found.strayShare > Self.strayLimit
    {
      (kind, edges) = (.footprint, nil)
      yaw = BoxMethod.minAreaYaw(Footprint(points))
      reason =
        "\(seen)no vertical face that dominates: \(percent(found.strayShare)) of the points off the edges"
    } else if min(first, second) >= needed,
      min(found.reaches.0, found.reaches.1) > Self.faceReach * found.noise
    {
      (kind, yaw, edges) = (.twoFaces, found.yaw, found)
      reason =
        "\(seen)two vertical faces (\(first) and \(second) points, \(millimetres(found.noise)) from them)"
    } else {
      (kind, edges) = (.oneFace, nil)
      yaw = Self.edgeYaw(sides, .oneFace) ?? found.yaw
      reason = "\(seen)one vertical face (\(max(first, second)) of \(sides.points.count) points)"
    }
  }

  /// The yaw of other points under the same decision, for resamples.
  static func edgeYaw(_ footprint: Footprint, _ kind: Kind) -> Double? {
    switch kind {
    case .twoFaces: VisibleEdges(footprint).yaw
    case .oneFace: footprint.moments.principalYaw
    case .footprint: BoxMethod.minAreaYaw(footprint)
    }
  }

  /// The box at this yaw that holds all points.
  ///
  /// Where two faces are seen, its near sides lie in them, not at the outermost points: those are as far out as
  /// noise put them. Its far sides are the ends of the faces, and points beyond belong to something else.
  func box(of points: [SIMD3<Double>], floor: Double) -> OrientedBox {
    guard let edges else { return PointExtent(points, yaw: yaw).box(floor: floor) }
    var extent = PointExtent(points.filter { edges.holds([$0.x, $0.z]) }, yaw: yaw)
    let (length, width) = Footprint.axes(yaw: yaw)
    // The top is not on the edges, but within them.
    for point in points {
      let (x, z) = (length.dot([point.x, point.z]), width.dot([point.x, point.z]))
      guard x >= extent.low.x, x <= extent.high.x, z >= extent.low.z, z <= extent.high.z else { continue }
      (extent.low.y, extent.high.y) = (min(extent.low.y, point.y), max(extent.high.y, point.y))
    }
    (extent.low.x, extent.high.x) = Self.moved(extent.low.x, extent.high.x, to: edges.offsets.0)
    (extent.low.z, extent.high.z) = Self.moved(extent.low.z, extent.high.z, to: edges.offsets.1)
    return extent.box(floor: floor)
  }

  /// Replaces the nearer end.
  private static func moved(_ low: Double, _ high: Double, to side: Double) -> (Double, Double) {
    abs(side - low) <= abs(high - side) ? (side, high) : (low, side)
  }
}

private func percent(_ share: Double) -> String { "\(Int(saturating: (100 * share).rounded())) %" }
private func millimetres(_ length: Double) -> String { "\(Int(saturating: (1000 * length).rounded())) mm" }
