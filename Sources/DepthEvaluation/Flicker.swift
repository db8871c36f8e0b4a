public import DepthCore

/// How much a map's depth trembles from frame to frame at one surface point, as a standard deviation in metres.
///
/// The surface point of every pixel of a frame is found in the frame before and the one after, by the poses, and what they read
/// there is compared with the point's depth in their camera: e₋ and e₊. Their sum is the second difference d₋ − 2d + d₊ of three
/// readings of one point. It is free of the camera's motion, and of whatever is constant or changes steadily: a map that is wrong
/// but calm has no flicker, which tells it from `temporal_abs_rel`. The median of its magnitude keeps points out that a neighbour
/// does not see. For independent noise of deviation σ its own is √6·σ, hence the scale 1.4826/√6.
///
/// Of a map of more than 2¹⁷ pixels the points of every k-th column and row are looked at, with the largest k that leaves 2¹⁵ of them
/// or more: the median of so many is good to less than 1 %.
public enum Flicker {
  private static let points = 1 << 15

  /// Makes the median magnitude of second differences the deviation of normal noise in the map.
  static let scale = OrderStatistics.normalConsistency / 6.0.squareRoot()

  /// flicker_m of the middle one of three views of one scene.
  /// - Returns: nil where the convention is unknown or no point is seen by all three.
  public static func deviation(_ before: PosedDepth, _ now: PosedDepth, _ after: PosedDepth) -> Double? {
    let step = max(1, Int((Double(now.depth.size.count) / Double(points)).squareRoot()))
    let looked = step > 1 ? now.thinned(by: step) : now
    guard [before, now, after].allSatisfy({ $0.convention != .unknown }),
      let earlier = looked.excess(in: before), let later = looked.excess(in: after)
    else { return nil }
    let magnitudes = [Double](unsafeUninitializedCapacity: earlier.count) { magnitudes, count in
      for (a, b) in zip(earlier, later) {
        // Written without a branch; the next one overwrites what is none.
        let magnitude = abs(a + b)
        magnitudes[count] = magnitude
        count += magnitude.isNaN ? 0 : 1
      }
    }
    return OrderStatistics.quantile(0.5, of: magnitudes).map { $0 * scale }
  }
}

extension PosedDepth {
  /// Every `step`-th column and row, with the camera that sees each of them where it was.
  fileprivate func thinned(by step: Int) -> PosedDepth {
    let camera = intrinsics.scaled(to: depth.size)
    let (columns, rows) = ((depth.width + step - 1) / step, (depth.height + step - 1) / step)
    var thinned = self
    thinned.depth = DepthMap(
      width: columns, height: rows,
      values: (0..<rows).flatMap { row in (0..<columns).map { depth[row * step, $0 * step] } })
    let (factor, shift) = (1 / Double(step), Double(step - 1) / 2)
    thinned.intrinsics = CameraIntrinsics(
      fx: camera.fx * factor, fy: camera.fy * factor, cx: (camera.cx + shift) * factor,
      cy: (camera.cy + shift) * factor, imageSize: thinned.depth.size)
    return thinned
  }
}
