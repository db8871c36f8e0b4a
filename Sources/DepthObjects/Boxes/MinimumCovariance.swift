import DepthCore

/// The half of a footprint whose covariance has the least determinant, and what it says about the rest.
///
/// Random starts of three points, two C-steps each, the best ten carried on until nothing changes, then one
/// reweighting. In place of the paper's 500 starts on nested subsets 100 on at most 300 points: where 40 % are
/// outliers, all of them start with one with a probability of 1e-11.
///
/// - SeeAlso: Rousseeuw & Van Driessen 1999, FAST-MCD.
struct MinimumCovariance {
  /// Points within the 97.5 % ellipse of the robust covariance.
  let inliers: [Int]

  /// Random starts, how many are carried on, and points of the search.
  private static let starts = 100, finalists = 10, searchLimit = 300
  /// C-steps after which the last subset is taken.
  private static let stepLimit = 30
  /// Quantiles 0.5 and 0.975 of χ² with two degrees of freedom.
  private static let medianChi2 = 1.386_294_361, cutoffChi2 = 7.377_758_908

  /// nil where half of the points lie on a line.
  init?(_ points: [SIMD2<Double>], using generator: inout SplitMix64) {
    let stride = (points.count + Self.searchLimit - 1) / Self.searchLimit
    let search = Swift.stride(from: 0, to: points.count, by: max(1, stride)).map { points[$0] }
    var candidates: [Footprint.Moments] = []
    for _ in 0..<Self.starts {
      let three = (0..<3).map { _ in
        search[Int(generator.next().multipliedFullWidth(by: UInt64(search.count)).high)]
      }
      let start = Footprint.Moments(three)
      guard start.determinant > 0 else { continue }
      candidates.append(Self.step(search, Self.step(search, start)))
    }
    candidates.sort { $0.determinant < $1.determinant }
    let settled = candidates.prefix(Self.finalists).map { Self.settle(search, $0) }
    guard let found = settled.min(by: { $0.determinant < $1.determinant }) else { return nil }
    let best = Self.settle(points, found)
    guard best.determinant > 0 else { return nil }
    let distances = points.map(best.squaredDistance)
    // Makes the median distance that of a normal sample.
    guard let median = OrderStatistics.median(of: distances) else { return nil }
    let limit = Self.cutoffChi2 * median / Self.medianChi2
    inliers = points.indices.filter { distances[$0] <= limit }
  }

  private static func settle(_ points: [SIMD2<Double>], _ start: Footprint.Moments) -> Footprint.Moments {
    var best = start
    for _ in 0..<stepLimit {
      let next = step(points, best)
      guard next.determinant < best.determinant else { break }
      best = next
    }
    return best
  }

  /// The moments of the half nearest to the given ones: never a larger determinant.
  private static func step(_ points: [SIMD2<Double>], _ moments: Footprint.Moments) -> Footprint.Moments {
    guard moments.determinant > 0 else { return moments }
    let half = (points.count + 3) / 2
    let distances = points.map(moments.squaredDistance)
    var scratch = distances
    let limit = OrderStatistics.select(half - 1, in: &scratch)
    // Of points as far as the last one only so many that the half is full.
    var rest = half - distances.reduce(0) { $0 + ($1 < limit ? 1 : 0) }
    // A point is written without a branch; the next one overwrites what does not belong.
    let nearest = [SIMD2<Double>](unsafeUninitializedCapacity: points.count + 1) { buffer, count in
      for (point, distance) in zip(points, distances) {
        let isLast = distance == limit
        buffer[count] = point
        count += distance < limit || (isLast && rest > 0) ? 1 : 0
        rest -= isLast ? 1 : 0
      }
    }
    return Footprint.Moments(nearest)
  }
}

extension Footprint.Moments {
  var determinant: Double { xx * zz - xz * xz }

  /// Mahalanobis distance, squared.
  func squaredDistance(_ point: SIMD2<Double>) -> Double {
    let d = point - mean
    return (zz * d.x * d.x - 2 * xz * d.x * d.y + xx * d.y * d.y) / determinant
  }
}
