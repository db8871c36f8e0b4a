internal import CFathomKernels
import DepthCore

/// The half of a footprint whose covariance has the least determinant, and what it says about the rest.
///
/// Random starts of three points, two C-steps each, the best ten carried on until nothing changes, then one
/// reweighting. In place of the paper's 500 starts on nested subsets 100 on at most 300 points: where 40 % are
/// outliers, all of them start with one with a probability of 1e-11.
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
    let searched = Swift.stride(from: 0, to: points.count, by: max(1, stride)).map { points[$0] }
    let search = Cloud(searched)
    var candidates: [Footprint.Moments] = []
    for _ in 0..<Self.starts {
      let three = (0..<3).map { _ in
        searched[Int(generator.next().multipliedFullWidth(by: UInt64(searched.count)).high)]
      }
      let start = Footprint.Moments(three)
      guard start.determinant > 0 else { continue }
      candidates.append(search.step(search.step(start)))
    }
    candidates.sort { $0.determinant < $1.determinant }
    let settled = candidates.prefix(Self.finalists).map(search.settle)
    guard let found = settled.min(by: { $0.determinant < $1.determinant }) else { return nil }
    let best = Cloud(points).settle(found)
    guard best.determinant > 0 else { return nil }
    let distances = points.map(best.squaredDistance)
    // Makes the median distance that of a normal sample.
    guard let median = OrderStatistics.median(of: distances) else { return nil }
    let limit = Self.cutoffChi2 * median / Self.medianChi2
    inliers = points.indices.filter { distances[$0] <= limit }
  }

  /// Points that steps are taken among.
  private struct Cloud {
    private let xs: [Double], zs: [Double]
    init(_ points: [SIMD2<Double>]) { (xs, zs) = Footprint(points).coordinates }

    /// The moments of the half nearest to the given ones: never a larger determinant.
    func step(_ moments: Footprint.Moments) -> Footprint.Moments {
      guard moments.determinant > 0 else { return moments }
      return withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * xs.count) { room in
        let given = covariance_moments(
          x: moments.mean.x, z: moments.mean.y, xx: moments.xx, xz: moments.xz, zz: moments.zz)
        return Footprint.Moments(
          covariance_of_nearest(xs, zs, xs.count, (xs.count + 3) / 2, given, room.baseAddress))
      }
    }

    func settle(_ start: Footprint.Moments) -> Footprint.Moments {
      var best = start
      for _ in 0..<stepLimit {
        let next = step(best)
        guard next.determinant < best.determinant else { break }
        best = next
      }
      return best
    }
  }
}

extension Footprint.Moments {
  fileprivate init(_ moments: covariance_moments) {
    mean = [moments.x, moments.z]
    (xx, xz, zz) = (moments.xx, moments.xz, moments.zz)
  }

  var determinant: Double { xx * zz - xz * xz }

  /// Mahalanobis distance, squared.
  func squaredDistance(_ point: SIMD2<Double>) -> Double {
    let d = point - mean
    return (zz * d.x * d.x - 2 * xz * d.x * d.y + xx * d.y * d.y) / determinant
  }
}
