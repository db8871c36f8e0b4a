import DepthCore
internal import Foundation

extension BoxMethod {
  /// Made for objects of which two vertical faces are seen.
  public static let closeness = BoxMethod(
    id: "closeness", title: "L-shape fit by closeness",
    source: "Zhang, Xu, Dong, Dolan 2017, algorithm 4: 90 directions, then steps of 0.1° and 0.01°",
    selection: .everything
  ) { object, options, generator throws(BoxError) in
    try YawEstimate(
      yaw: ClosenessSearch.yaw(Footprint(object.points)),
      reason: "most points close to two edges at a right angle",
      repeated: ClosenessSearch.yaw
    ).fit(object, options, method: "closeness", using: &generator)
  }
}

/// The direction in which most points lie close to a side of the rectangle around them.
enum ClosenessSearch {
  /// Distances below this count as it, metres (the paper's d₀): points on a side count alike.
  static let nearest = 0.01

  /// Yaw of one of the two edges, 0…90° but for the refinement.
  static func yaw(_ footprint: Footprint) -> Double {
    let (xs, zs) = (footprint.points.map(\.x), footprint.points.map(\.y))
    var (best, yaw) = (-Double.infinity, 0.0)
    func search(around middle: Double, steps: Int, of size: Double) {
      for k in -steps...steps {
        let angle = middle + Double(k) * size
        let score = score(xs, zs, angle)
        if score > best { (best, yaw) = (score, angle) }
      }
    }
    let degree = Double.pi / 180
    search(around: 45 * degree, steps: 45, of: degree)
    search(around: yaw, steps: 10, of: degree / 10)
    search(around: yaw, steps: 10, of: degree / 100)
    return yaw
  }

  /// Σ 1/max(d₀, distance to the nearer side); coordinates in arrays of their own for speed.
  private static func score(_ xs: [Double], _ zs: [Double], _ yaw: Double) -> Double {
    let (c, s) = (cos(yaw), sin(yaw))
    let first = NearSide.offset(xs, zs, c, s), second = NearSide.offset(xs, zs, -s, c)
    return xs.withUnsafeBufferPointer { xs in
      zs.withUnsafeBufferPointer { zs in
        /// Four at a time: one sum would wait for each division.
        func closeness(_ x: SIMD4<Double>, _ z: SIMD4<Double>) -> SIMD4<Double> {
          let d = magnitude(c * x + s * z - first), e = magnitude(c * z - s * x - second)
          let distance = d.replacing(with: e, where: e .< d)
          return 1 / distance.replacing(with: nearest, where: distance .< nearest)
        }
        var sums = SIMD4<Double>()
        let whole = xs.count / 4 * 4
        for i in stride(from: 0, to: whole, by: 4) {
          sums += closeness(
            SIMD4(xs[i], xs[i + 1], xs[i + 2], xs[i + 3]), SIMD4(zs[i], zs[i + 1], zs[i + 2], zs[i + 3]))
        }
        var sum = sums.sum()
        for i in whole..<xs.count { sum += closeness(SIMD4(repeating: xs[i]), SIMD4(repeating: zs[i]))[0] }
        return sum
      }
    }
  }

  private static func magnitude(_ x: SIMD4<Double>) -> SIMD4<Double> { x.replacing(with: -x, where: x .< 0) }
}

/// Of the two sides of a rectangle across an axis, the one that the points are closer to.
enum NearSide {
  /// Where the side with the smaller sum of squared distances lies along the unit axis (ax, az), metres.
  static func offset(_ xs: [Double], _ zs: [Double], _ ax: Double, _ az: Double) -> Double {
    xs.withUnsafeBufferPointer { xs in
      zs.withUnsafeBufferPointer { zs in
        var (low, high, sum, i) = (Double.infinity, -Double.infinity, 0.0, 0)
        while i < xs.count {
          let t = ax * xs[i] + az * zs[i]
          if t < low { low = t }
          if t > high { high = t }
          sum += t
          i += 1
        }
        // Σ(t − low)² < Σ(high − t)² exactly where the mean lies below the middle.
        return sum / Double(xs.count) <= (low + high) / 2 ? low : high
      }
    }
  }

  static func offset(_ footprint: Footprint, along axis: SIMD2<Double>) -> Double {
    offset(footprint.points.map(\.x), footprint.points.map(\.y), axis.x, axis.y)
  }
}
