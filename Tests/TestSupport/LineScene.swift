public import DepthCore

/// Frames whose relative map is exactly affine in depth or disparity.
public enum LineScene {
  /// A slanted wall from 1 to 3.5 m with a step; LiDAR and relative map of one resolution, so that every
  /// position mapping but `scale` samples the pixel itself.
  ///
  /// - Parameters:
  ///   - kind: What the relative map is affine in.
  ///   - scale: α of d = α·r + β, or of 1/d.
  ///   - shift: β.
  public static func frame(
    kind: RelativeKind, scale: Double, shift: Double, width: Int = 32, height: Int = 24
  ) -> DepthFrame {
    var depth: [Float] = []
    for row in 0..<height {
      for column in 0..<width {
        let slope = 1 + 2 * Double(column) / Double(width - 1)
        depth.append(Float(row < height / 2 ? slope : slope + 0.5))
      }
    }
    let relative = depth.map { d -> Float in
      let target = kind == .depth ? Double(d) : 1 / Double(d)
      return Float((target - shift) / scale)
    }
    let map = DepthMap(width: width, height: height, values: depth)
    return DepthFrame(
      index: 0, lidar: map, confidence: Raster(width: width, height: height, filledWith: 2),
      relative: DepthMap(width: width, height: height, values: relative), truth: map)
  }
}
