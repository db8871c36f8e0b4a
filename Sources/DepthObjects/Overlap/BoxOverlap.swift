import DepthCore

/// What two boxes share.
public struct BoxOverlap: Sendable, Hashable {
  /// Volumes, cubic metres.
  public let intersection: Double, union: Double
  /// Volume of the convex hull of both, cubic metres.
  public let hull: Double

  /// Exact up to round-off, for any rotations: the smaller box, cut by the six planes of the other.
  public init(_ a: PosedBox, _ b: PosedBox) {
    let (small, large) = a.volume <= b.volume ? (a, b) : (b, a)
    // About the smaller one's centre, so that far from the origin nothing is lost.
    let origin = small.center
    let (inner, outer) = (small.moved(by: -origin), large.moved(by: -origin))
    var solid = ConvexPolyhedron(inner)
    for face in outer.faces { solid.clip(by: face) }
    intersection = min(max(0, solid.volume), small.volume)
    union = small.volume + large.volume - intersection
    hull = max(ConvexHull3D(inner.corners + outer.corners).volume, union)
  }

  /// Intersection over union, 0…1; 0 where both boxes are flat.
  public var iou: Double { union > 0 ? intersection / union : 0 }
  /// Intersection over union, minus the share of the hull that neither box fills: −1…1.
  /// - SeeAlso: Rezatofighi et al. 2019, algorithm 1.
  public var generalizedIoU: Double { hull > 0 ? iou - (hull - union) / hull : iou }
}

extension PosedBox {
  fileprivate func moved(by step: SIMD3<Double>) -> PosedBox {
    var moved = self
    moved.pose.translation += step
    return moved
  }
}
