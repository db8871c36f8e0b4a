import CFathomKernels
import DepthCore
import Foundation
import FathomTestSupport
import Testing

@testable import DepthObjects

@Suite("Closeness to a rectangle's sides")
struct ClosenessTests {
  @Test("a score is the paper's sum, whatever the number of points", arguments: [1, 7, 8, 31, 32, 33, 1_000])
  func score(_ count: Int) {
    var generator = SplitMix64(seed: UInt64(count))
    let xs = (0..<count).map { _ in generator.uniform(-2, 2) },
      zs = (0..<count).map { _ in generator.uniform(1, 3) }
    var room = [Double](repeating: 0, count: 2 * count)
    for yaw in [0.0, 0.3, 1.2] {
      let (c, s) = (cos(yaw), sin(yaw))
      func side(_ t: [Double]) -> Double {
        let (low, high) = (t.min() ?? 0, t.max() ?? 0)
        let fromLow = t.reduce(0.0) { $0 + ($1 - low) * ($1 - low) }
        let fromHigh = t.reduce(0.0) { $0 + (high - $1) * (high - $1) }
        return fromLow <= fromHigh ? low : high
      }
      let along = xs.indices.map { c * xs[$0] + s * zs[$0] }
      let across = xs.indices.map { c * zs[$0] - s * xs[$0] }
      let (first, second) = (side(along), side(across))
      var expected = 0.0
      for (t, u) in zip(along, across) {
        expected += 1 / max(0.01, min(abs(t - first), abs(u - second)))
      }
      let found = room.withUnsafeMutableBufferPointer { room -> Double in
        guard let start = room.baseAddress else { return .nan }
        return closeness_score(xs, zs, count, c, s, 0.01, start, start + count)
      }
      #expect(abs(found - expected) <= 1e-13 * expected)
      #expect(closeness_side(xs, zs, count, c, s) == first)
    }
  }

  @Test("points that lie far out neither overflow nor count")
  func farPoints() {
    let xs: [Double] = [0, 0, 1e200, -1e250, 0], zs: [Double] = [0, 1, 1e220, 3e250, 2]
    var room = [Double](repeating: 0, count: 10)
    let found = room.withUnsafeMutableBufferPointer { room -> Double in
      guard let start = room.baseAddress else { return .nan }
      return closeness_score(xs, zs, 5, 1, 0, 0.01, start, start + 5)
    }
    #expect(found.isFinite && found > 0)
  }
}
