import Testing

@testable import DepthCore

/// Against the formulas, pixel by pixel.
@Suite("Depth seen from another camera")
struct PosedDepthTests {
  private static func draw(_ from: Double, _ to: Double, _ generator: inout SplitMix64) -> Double {
    from + (to - from) * Double(generator.next() >> 11) * 0x1p-53
  }

  /// A map with noise, gaps of every kind, and a size that no vector divides.
  private static func view(_ seed: UInt64, width: Int, height: Int, _ pose: RigidTransform) -> PosedDepth {
    var generator = SplitMix64(seed: seed)
    var map = DepthMap(width: width, height: height, filledWith: 0)
    for index in map.values.indices {
      map.values[index] = Float(draw(0.8, 3, &generator))
      if index % 17 == 3 { map.values[index] = [Float.nan, 0, -1, .infinity][index % 4] }
    }
    return PosedDepth(
      depth: map,
      intrinsics: CameraIntrinsics(
        fx: 900, fy: 910, cx: 633, cy: 481, imageSize: RasterSize(width: 1280, height: 960)),
      worldFromCamera: pose, convention: .opencv)
  }

  private static let pair: (PosedDepth, PosedDepth) = {
    let moved = RigidTransform(
      xAxis: [0.98, 0, -0.19899748742132398], yAxis: [0, 1, 0], zAxis: [0.19899748742132398, 0, 0.98],
      translation: [0.11, -0.05, 0.2])
    return (view(1, width: 131, height: 97, .identity), view(2, width: 149, height: 101, moved))
  }()

  private struct Seen {
    var x: Double, y: Double, z: Double
  }

  private func seen(_ source: PosedDepth, _ target: PosedDepth, row: Int, column: Int) throws -> Seen? {
    let z = Double(source.depth[row, column])
    guard z > 0, z.isFinite else { return nil }
    let (from, to) = (
      source.intrinsics.scaled(to: source.depth.size), target.intrinsics.scaled(to: target.depth.size)
    )
    let motion = try #require(CameraMotion(from: source, to: target))
    let (u, v) = ((Double(column) + 0.5 - from.cx) / from.fx, (Double(row) + 0.5 - from.cy) / from.fy)
    let p = motion(SIMD3(u * z, v * z, z))
    guard p.z > 0 else { return nil }
    return Seen(x: p.x / p.z * to.fx + to.cx, y: p.y / p.z * to.fy + to.cy, z: p.z)
  }

  @Test("splats: the nearest depth at the nearest pixel", arguments: [false, true])
  func splats(_ isTurned: Bool) throws {
    let (source, target) = isTurned ? (Self.pair.1, Self.pair.0) : Self.pair
    var expected = [Double](repeating: .infinity, count: target.depth.size.count)
    for row in 0..<source.depth.height {
      for column in 0..<source.depth.width {
        guard let point = try seen(source, target, row: row, column: column), point.x >= 0, point.y >= 0,
          point.x < Double(target.depth.width), point.y < Double(target.depth.height)
        else { continue }
        let place = Int(point.y) * target.depth.width + Int(point.x)
        expected[place] = min(expected[place], point.z)
      }
    }
    #expect(source.warped(into: target) == expected)
    #expect(expected.count { $0.isFinite } > 5_000)
  }

  @Test("excess: what the other view reads, less the point's own depth", arguments: [false, true])
  func excess(_ isTurned: Bool) throws {
    let (source, target) = isTurned ? (Self.pair.1, Self.pair.0) : Self.pair
    let found = try #require(source.excess(in: target))
    var known = 0
    for row in 0..<source.depth.height {
      for column in 0..<source.depth.width {
        let value = found[row * source.depth.width + column]
        guard let point = try seen(source, target, row: row, column: column) else {
          #expect(value.isNaN)
          continue
        }
        let read = reading(target.depth, x: point.x - 0.5, y: point.y - 0.5)
        if read != nil { known += 1 }
        #expect(value == read.map { $0 - point.z } || value.isNaN && read == nil)
      }
    }
    #expect(known > 5_000)
  }

  private func reading(_ map: DepthMap, x: Double, y: Double) -> Double? {
    guard x >= 0, y >= 0, x <= Double(map.width - 1), y <= Double(map.height - 1) else { return nil }
    let (left, top) = (Int(x), Int(y))
    let (sx, sy) = (x - Double(left), y - Double(top))
    var sum = 0.0
    for (row, weightY) in [(top, 1 - sy), (top + 1, sy)] {
      for (column, weightX) in [(left, 1 - sx), (left + 1, sx)] where row == top || sy > 0 {
        guard column == left || sx > 0 else { continue }
        let depth = map[row, column]
        guard depth > 0, depth.isFinite else { return nil }
        sum += weightY * weightX * Double(depth)
      }
    }
    return sum
  }

  @Test("the mean relative difference counts pixels that both have")
  func difference() throws {
    let view = Self.pair.1
    var generator = SplitMix64(seed: 9)
    let other = view.depth.values.indices.map { index -> Double in
      index % 5 == 0 ? .infinity : Self.draw(0.5, 4, &generator)
    }
    var terms: [Double] = []
    for (seen, depth) in zip(other, view.depth.values) where seen.isFinite && depth > 0 && depth.isFinite {
      terms.append(abs(seen - Double(depth)) / Double(depth))
    }
    let expected = terms.reduce(0, +) / Double(terms.count)
    let found = try #require(view.meanRelativeDifference(of: other))
    #expect(abs(found - expected) < 1e-13 * expected)
    let nothing = [Double](repeating: .infinity, count: other.count)
    #expect(view.meanRelativeDifference(of: nothing) == nil)
  }
}
