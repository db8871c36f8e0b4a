internal import CFathomKernels
internal import Foundation

extension BoxMethod {
  /// Made for objects with two visible vertical faces.
  public static let closeness = BoxMethod(
    id: "closeness", title: "L-shape fit by closeness",
    source: "Zhang, Xu, Dong, Dolan 2017, algorithm 4: 90 directions, then steps of 0.1° and 0.01°",
    selection: .everything
  ) { object, options, generator throws(BoxError) in
    try YawEstimate(
      yaw: ClosenessSearch.yaw(Footprint(object.points)),
      reason: "most points close to two edges at a right angle", repeated: ClosenessSearch.yaw
    ).fit(object, options, method: "closeness", using: &generator)
  }
}

/// The direction in which most points lie close to a side of the rectangle around them.
enum ClosenessSearch {
  /// Distances below this count as it, metres (the paper's d₀): points on a side count alike.
  static let nearest = 0.01

  /// Yaw of one of the two edges, 0…90° but for the refinement.
  static func yaw(_ footprint: Footprint) -> Double {
    let (xs, zs) = footprint.coordinates
    guard !xs.isEmpty else { return 0 }
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * xs.count) { room in
      guard let along = room.baseAddress else { return 0 }
      var (best, yaw) = (-Double.infinity, 0.0)
      func search(around middle: Double, steps: Int, of size: Double) {
        for k in -steps...steps {
          let angle = middle + Double(k) * size
          let score = closeness_score(
            xs, zs, xs.count, cos(angle), sin(angle), nearest, along, along + xs.count)
          if score > best { (best, yaw) = (score, angle) }
        }
      }
      let degree = Double.pi / 180
      search(around: 45 * degree, steps: 45, of: degree)
      search(around: yaw, steps: 10, of: degree / 10)
      search(around: yaw, steps: 10, of: degree / 100)
      return yaw
    }
  }
}

/// Of the two sides of a rectangle across an axis, the one that the points are closer to.
enum NearSide {
  /// Where the side with the smaller sum of squared distances lies along a unit axis, metres; 0 without points.
  static func offset(_ footprint: Footprint, along axis: SIMD2<Double>) -> Double {
    let (xs, zs) = footprint.coordinates
    return xs.isEmpty ? 0 : closeness_side(xs, zs, xs.count, axis.x, axis.y)
  }
}
