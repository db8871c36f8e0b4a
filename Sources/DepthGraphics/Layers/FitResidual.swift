public import DepthCore

/// What a fit leaves at the returns that it was made from: fused less LiDAR depth, metres.
public enum FitResidual {
  /// At every LiDAR pixel; NaN where the return does not count or the fused map has no value.
  /// - Parameter fused: The fitted map, metres, any resolution.
  /// - Parameter lidar: Metres.
  /// - Parameter confidence: At the LiDAR's resolution; nil counts as high.
  /// - Parameter minimumConfidence: Lowest confidence that counts.
  /// - Parameter depthRange: Depths that count, metres, between its ends.
  public static func residuals(
    of fused: DepthMap, at lidar: DepthMap, confidence: Raster<UInt8>?, minimumConfidence: UInt8 = 2,
    depthRange: ClosedRange<Double> = 0.1...4
  ) -> Raster<Float> {
    var selected = lidar
    for (index, depth) in lidar.values.enumerated() {
      let isConfident = (confidence?.values[index] ?? 2) >= minimumConfidence
      let isInRange = Double(depth) > depthRange.lowerBound && Double(depth) < depthRange.upperBound
      if !(isConfident && isInRange) { selected.values[index] = .nan }
    }
    return SignedError.differences(of: fused, from: selected)
  }
}
