import DepthCore
internal import Foundation

/// The two edges of an L that a footprint shows: each the trace of a vertical face.
struct VisibleEdges {
  /// Of the first edge's normal; the other one is a quarter turn further. Radians.
  private(set) var yaw: Double
  /// Where each edge lies along its normal (length axis, width axis), metres.
  private(set) var offsets: (Double, Double) = (0, 0)
  /// Points of each edge.
  private(set) var counts = (0, 0)
  /// How far each edge reaches from the other one: the 90th percentile of its points' distances, metres.
  private(set) var reaches = (0.0, 0.0)
  /// Root mean square distance of the edges' points, metres.
  private(set) var noise = 0.0
  /// Distance up to which a point belongs to an edge, metres.
  private(set) var limit = 0.0
  /// Share of all points that lie on neither edge.
  private(set) var strayShare = 0.0
  /// Alternations of assignment and fit; they settle in two or three.
  private static let rounds = 5

  /// The best two orthogonal lines near the L that closeness finds.
  /// - Parameter closeness: Its yaw.
  /// - SeeAlso: Zhang et al. 2017, equation 1: the least-squares problem that closeness approximates.
  init(_ footprint: Footprint, closeness: Double) {
    let points = footprint.points
    yaw = closeness
    let axes = Footprint.axes(yaw: yaw)
    offsets = (NearSide.offset(footprint, along: axes.length), NearSide.offset(footprint, along: axes.width))
    for _ in 0..<Self.rounds {
      let before = (yaw, offsets.0, offsets.1)
      refine(points)
      // The next round would find the same.
      if (yaw, offsets.0, offsets.1) == before { break }
    }
  }

  /// Whether a point belongs to an edge.
  func holds(_ point: SIMD2<Double>) -> Bool {
    let axes = Footprint.axes(yaw: yaw)
    return min(abs(point.dot(axes.length) - offsets.0), abs(point.dot(axes.width) - offsets.1)) <= limit
  }

  private mutating func refine(_ points: [SIMD2<Double>]) {
    let axes = Footprint.axes(yaw: yaw)
    let distances = points.map { (abs($0.dot(axes.length) - offsets.0), abs($0.dot(axes.width) - offsets.1)) }
    let nearer = distances.map { min($0.0, $0.1) }
    // Half of a normal sample lies within 0.6745 σ. At least d₀, so that exact points are not strays.
    let scale = (OrderStatistics.median(of: nearer) ?? 0) / 0.674_489_750
    limit = max(3 * scale, ClosenessSearch.nearest / 2)
    let on = points.indices.filter { nearer[$0] <= limit }
    let onFirst = on.filter { distances[$0].0 <= distances[$0].1 }
    let onSecond = on.filter { distances[$0].0 > distances[$0].1 }
    let (first, second) = (onFirst.map { points[$0] }, onSecond.map { points[$0] })
    counts = (first.count, second.count)
    reaches = (
      OrderStatistics.quantile(0.9, of: onFirst.map { distances[$0].1 }) ?? 0,
      OrderStatistics.quantile(0.9, of: onSecond.map { distances[$0].0 }) ?? 0
    )
    noise = (on.reduce(0) { $0 + nearer[$1] * nearer[$1] } / Double(max(1, on.count))).squareRoot()
    strayShare = 1 - Double(on.count) / Double(points.count)
    yaw = Self.commonYaw(first, second) ?? yaw
    let turned = Footprint.axes(yaw: yaw)
    if !first.isEmpty { offsets.0 = Footprint.Moments(first).mean.dot(turned.length) }
    if !second.isEmpty { offsets.1 = Footprint.Moments(second).mean.dot(turned.width) }
  }

  /// The normal n of the first line for which Σ(n·p)² over its points and Σ(n⊥·p)² over the other's is least:
  /// the minor axis of the first covariance and the second one turned by 90°.
  private static func commonYaw(_ first: [SIMD2<Double>], _ second: [SIMD2<Double>]) -> Double? {
    var (xx, xz, zz) = (0.0, 0.0, 0.0)
    if !first.isEmpty {
      let (m, n) = (Footprint.Moments(first), Double(first.count))
      (xx, xz, zz) = (xx + n * m.xx, xz + n * m.xz, zz + n * m.zz)
    }
    if !second.isEmpty {
      let (m, n) = (Footprint.Moments(second), Double(second.count))
      (xx, xz, zz) = (xx + n * m.zz, xz - n * m.xz, zz + n * m.xx)
    }
    guard xz != 0 || xx != zz else { return nil }
    return atan2(2 * xz, xx - zz) / 2 + .pi / 2
  }
}
