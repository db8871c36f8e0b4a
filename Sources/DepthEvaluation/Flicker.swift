public import DepthCore

/// How much a map's depth trembles from frame to frame at one surface point, as a standard deviation in metres.
///
/// The surface point of every pixel of a frame is found in the frame before and the one after, by the poses, and what
/// they read there is held against the point's depth in their camera: e₋ and e₊. Their sum is the second difference
/// d₋ − 2d + d₊ of three readings of one point. It is free of the camera's motion, and of whatever is constant or
/// changes steadily: a map that is wrong but calm has no flicker, which tells it from `temporal_abs_rel`. The median
/// of its magnitude keeps points out that a neighbour does not see. For independent noise of deviation σ its own is
/// √6·σ, hence the scale 1.4826/√6.
public enum Flicker {
  /// Makes the median magnitude of second differences the deviation of normal noise in the map.
  static let scale = 1.4826 / 6.0.squareRoot()

  /// flicker_m of the middle one of three views of one scene.
  ///
  /// - Returns: nil where the convention is unknown or no point is seen by all three.
  public static func deviation(
    _ before: PosedDepth, _ now: PosedDepth, _ after: PosedDepth
  ) -> Double? {
    guard [before, now, after].allSatisfy({ $0.convention != .unknown }),
      let earlier = Reading(of: before, from: now), let later = Reading(of: after, from: now)
    else { return nil }
    let camera = now.intrinsics.scaled(to: now.depth.size)
    let width = now.depth.width
    var magnitudes: [Double] = []
    magnitudes.reserveCapacity(now.depth.values.count)
    for (index, depth) in now.depth.values.enumerated() where depth > 0 && depth.isFinite {
      let (row, column) = index.quotientAndRemainder(dividingBy: width)
      let ray = SIMD3(
        (Double(column) + 0.5 - camera.cx) / camera.fx, (Double(row) + 0.5 - camera.cy) / camera.fy, 1)
      let point = ray * Double(depth)
      guard let first = earlier.excess(at: point), let second = later.excess(at: point) else { continue }
      magnitudes.append(abs(first + second))
    }
    return OrderStatistics.quantile(0.5, of: magnitudes).map { $0 * scale }
  }

  /// What a neighbouring frame reads at points of the present one.
  private struct Reading {
    let depth: DepthMap
    let camera: CameraIntrinsics
    let motion: CameraMotion

    init?(of neighbour: PosedDepth, from now: PosedDepth) {
      guard let motion = CameraMotion(from: now, to: neighbour) else { return nil }
      depth = neighbour.depth
      camera = neighbour.intrinsics.scaled(to: neighbour.depth.size)
      self.motion = motion
    }

    /// Depth read where the point falls minus the point's own, metres; nil outside the outermost pixel centres and
    /// where a missing neighbour has weight.
    @inline(__always)
    func excess(at point: SIMD3<Double>) -> Double? {
      let seen = motion(point)
      guard seen.z > 0 else { return nil }
      let u = seen.x / seen.z * camera.fx + camera.cx - 0.5
      let v = seen.y / seen.z * camera.fy + camera.cy - 0.5
      guard u >= 0, v >= 0, u <= Double(depth.width - 1), v <= Double(depth.height - 1) else { return nil }
      let (left, top) = (Int(u), Int(v))
      let (shareX, shareY) = (u - Double(left), v - Double(top))
      var sum = 0.0
      for (row, weightY) in [(top, 1 - shareY), (top + 1, shareY)] where weightY > 0 {
        for (column, weightX) in [(left, 1 - shareX), (left + 1, shareX)] where weightX > 0 {
          let value = depth[row, column]
          guard value > 0, value.isFinite else { return nil }
          sum += weightY * weightX * Double(value)
        }
      }
      return sum - seen.z
    }
  }
}
