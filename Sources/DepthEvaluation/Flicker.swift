public import DepthCore

/// How much a map's depth trembles from frame to frame at one surface point, as a standard deviation in metres.
///
/// The surface point of every pixel of a frame is found in the frame before and the one after, by the poses, and what they read
/// there is compared with the point's depth in their camera: e₋ and e₊. Their sum is the second difference d₋ − 2d + d₊ of three
/// readings of one point. It is free of the camera's motion, and of whatever is constant or changes steadily: a map that is wrong
/// but calm has no flicker, which tells it from `temporal_abs_rel`. The median of its magnitude keeps points out that a neighbour
/// does not see. For independent noise of deviation σ its own is √6·σ, hence the scale 1.4826/√6.
public enum Flicker {
  /// Makes the median magnitude of second differences the deviation of normal noise in the map.
  static let scale = OrderStatistics.normalConsistency / 6.0.squareRoot()

  /// flicker_m of the middle one of three views of one scene.
  /// - Returns: nil where the convention is unknown or no point is seen by all three.
  public static func deviation(_ before: PosedDepth, _ now: PosedDepth, _ after: PosedDepth) -> Double? {
    guard [before, now, after].allSatisfy({ $0.convention != .unknown }),
      let earlier = now.excess(in: before), let later = now.excess(in: after)
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
