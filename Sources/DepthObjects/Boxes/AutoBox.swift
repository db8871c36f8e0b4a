import DepthCore

extension BoxMethod {
  /// Closeness, made exact by the lines of the faces that are seen, without what the rim of the mask shows of the background.
  public static let auto = BoxMethod(
    id: "auto", title: "by the visible faces",
    source:
      "closeness, then two orthogonal lines through the faces (Zhang et al., equation 1) where both agree; without background at the mask's rim and behind two faces",
    selection: .everything
  ) { object, options, generator throws(BoxError) in
    let attached = object.attached, view = VisibleFaces(attached.points)
    return try YawEstimate(yaw: view.yaw, reason: view.reason) { VisibleFaces.yaw($0).yaw }
      .fit(attached.without(view.background(in: attached)), options, method: view.method, using: &generator)
  }
}

extension ObjectPoints {
  /// Rim points this far beyond the others are background: metres, and in extents of the others.
  private static let reach = 0.5, share = 1.0
  /// Fewer points than these within the rim say nothing about it.
  private static let fewestInner = 10

  /// All points but those of the mask's rim that lie far beyond the others, in any of eight horizontal directions.
  ///
  /// A wall behind an object and a chair's far leg look alike in space. But a mask is wrong at its rim.
  var attached: ObjectPoints {
    let inner = points.indices.filter { !rim.contains($0) }
    guard inner.count >= Self.fewestInner, inner.count < points.count else { return self }
    var background: Set<Int> = []
    for step in 0..<8 {
      let axis = Footprint.axes(yaw: Double(step) * .pi / 8).length
      let along = points.map { axis.x * $0.x + axis.y * $0.z }
      let (low, high) = inner.reduce((Double.infinity, -Double.infinity)) {
        (min($0.0, along[$1]), max($0.1, along[$1]))
      }
      let margin = max(Self.reach, Self.share * (high - low))
      background.formUnion(rim.filter { along[$0] < low - margin || along[$0] > high + margin })
    }
    return without(background)
  }

  /// All points but those at some positions.
  func without(_ positions: Set<Int>) -> ObjectPoints {
    guard !positions.isEmpty else { return self }
    let kept = points.indices.filter { !positions.contains($0) }
    return ObjectPoints(
      points: kept.map { points[$0] }, depths: kept.map { depths[$0] }, camera: camera, imageBox: imageBox,
      medianDepth: medianDepth, rim: Set(kept.indices.filter { rim.contains(kept[$0]) }))
  }
}

/// Which faces of a box a cloud of points shows, and the yaw by them.
struct VisibleFaces {
  let yaw: Double, reason: String
  /// "closeness" or "orthogonal-lines".
  let method: String
  /// The lines of two faces; nil where there are not two.
  private var edges: VisibleEdges?
  /// A face needs this share of the points, and this number; and it reaches this many times the noise from the
  /// other one, or it is that one's noise.
  private static let faceShare = 0.1, facePoints = 8, faceReach = 4.0
  /// More than this share of points on neither edge, and there are no edges.
  private static let strayLimit = 0.35
  /// Lines that turn away from closeness further than this follow something else, radians.
  private static let largestTurn = Double.pi / 12

  init(_ points: [SIMD3<Double>]) {
    let top = TopFace(points)
    // A level top lies between the edges and says nothing of them.
    let sides = Footprint(top.sides.count < max(2 * Self.facePoints, points.count / 5) ? points : top.sides)
    let found = Self.yaw(sides)
    (yaw, method) = (found.yaw, found.isByLines ? "orthogonal-lines" : "closeness")
    let seen = top.isSeen ? "the top (\(points.count - top.sides.count) points) and " : ""
    let (edges, needed) = (
      found.edges, max(Self.facePoints, Int(Self.faceShare * Double(sides.points.count)))
    )
    let (first, second) = edges.counts
    if edges.strayShare > Self.strayLimit {
      reason =
        "\(seen)no vertical face that dominates: \(percent(edges.strayShare)) of the points off the edges"
    } else if min(first, second) >= needed,
      min(edges.reaches.0, edges.reaches.1) > Self.faceReach * edges.noise
    {
      reason =
        "\(seen)two vertical faces (\(first) and \(second) points, \(millimetres(edges.noise)) from them)"
      self.edges = edges
    } else {
      reason = "\(seen)one vertical face (\(max(first, second)) of \(sides.points.count) points)"
    }
  }

  /// What lies this far beyond the ends of two faces is not part of their object: metres, and in lengths of the faces.
  private static let reach = 0.1, share = 0.25
  /// But not where it is a larger share of the points than a mask takes in by mistake: then the faces are not all of the object.
  private static let largestBackground = 0.06

  /// Positions of the points behind an object: deeper than two of its faces, and beyond their ends, which show its length and width.
  func background(in object: ObjectPoints) -> Set<Int> {
    guard let edges else { return [] }
    let onFaces = object.points.indices.filter { edges.holds([object.points[$0].x, object.points[$0].z]) }
    guard let deepest = onFaces.map({ object.depths[$0] }).max() else { return [] }
    let ends = PointExtent(onFaces.map { object.points[$0] }, yaw: yaw)
    let axes = Footprint.axes(yaw: yaw)
    func isBeyond(_ value: Double, _ low: Double, _ high: Double) -> Bool {
      let margin = max(Self.reach, Self.share * (high - low))
      return value < low - margin || value > high + margin
    }
    let found = object.points.indices.filter {
      let point: SIMD2<Double> = [object.points[$0].x, object.points[$0].z]
      return object.depths[$0] > deepest
        && (isBeyond(axes.length.dot(point), ends.low.x, ends.high.x)
          || isBeyond(axes.width.dot(point), ends.low.z, ends.high.z))
    }
    return Double(found.count) <= Self.largestBackground * Double(object.points.count) ? Set(found) : []
  }

  /// The yaw of a footprint: that of its lines where points lie on them and closeness agrees, else that of closeness.
  static func yaw(_ footprint: Footprint) -> (yaw: Double, isByLines: Bool, edges: VisibleEdges) {
    let closeness = ClosenessSearch.yaw(footprint)
    let edges = VisibleEdges(footprint, closeness: closeness)
    let isByLines =
      edges.strayShare <= strayLimit
      && abs(remainder(of: edges.yaw - closeness, period: .pi / 2)) <= largestTurn
    return (isByLines ? edges.yaw : closeness, isByLines, edges)
  }
}

private func percent(_ share: Double) -> String { "\(Int(saturating: (100 * share).rounded())) %" }
private func millimetres(_ length: Double) -> String { "\(Int(saturating: (1000 * length).rounded())) mm" }
