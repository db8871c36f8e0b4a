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
    now.depth.values.withUnsafeBufferPointer { depths in
      earlier.depth.values.withUnsafeBufferPointer { before in
        later.depth.values.withUnsafeBufferPointer { after in
          for row in 0..<now.depth.height {
            let y = (Double(row) + 0.5 - camera.cy) / camera.fy
            for column in 0..<width {
              let depth = depths[row * width + column]
              guard depth > 0 && depth.isFinite else { continue }
              let point = SIMD3((Double(column) + 0.5 - camera.cx) / camera.fx, y, 1) * Double(depth)
              guard let first = earlier.excess(at: point, before), let second = later.excess(at: point, after)
              else { continue }
              magnitudes.append(abs(first + second))
            }
          }
        }
      }
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
    ///
    /// - Parameter values: Those of ``depth``.
    @inline(__always)
    func excess(at point: SIMD3<Double>, _ values: UnsafeBufferPointer<Float>) -> Double? {
      let seen = motion(point)
      guard seen.z > 0 else { return nil }
      let u = seen.x / seen.z * camera.fx + camera.cx - 0.5
      let v = seen.y / seen.z * camera.fy + camera.cy - 0.5
      guard u >= 0, v >= 0, u <= Double(depth.width - 1), v <= Double(depth.height - 1) else { return nil }
      let (left, top) = (Int(u), Int(v))
      let (shareX, shareY) = (u - Double(left), v - Double(top))
      // A neighbour without weight is not asked.
      let (toRight, toBelow) = (shareX > 0 ? 1 : 0, shareY > 0 ? depth.width : 0)
      let corner = top * depth.width + left
      let (a, b) = (values[corner], values[corner + toRight])
      let (c, d) = (values[corner + toBelow], values[corner + toBelow + toRight])
      let (least, most) = (min(min(a, b), min(c, d)), max(max(a, b), max(c, d)))
      guard !(a + b + c + d).isNaN, least > 0, most < .infinity else { return nil }
      var sum = (1 - shareY) * (1 - shareX) * Double(a)
      sum += (1 - shareY) * shareX * Double(b)
      sum += shareY * (1 - shareX) * Double(c)
      sum += shareY * shareX * Double(d)
      return sum - seen.z
    }
  }
}
