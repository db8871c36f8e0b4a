public import DepthCore

/// Depth in the colours of a perceptual map, turbo or viridis: for telling depths apart and reading them off.
///
/// Depth is read like ``DepthRamp``'s; missing depth is transparent.
public struct PerceptualDepth: PictureLayer {
  /// Planar depth, metres, any resolution.
  public var depth: DepthMap
  /// Colour map and range, metres.
  public var scale: ColourScale
  /// 0…1.
  public var opacity: Float

  /// - Precondition: `opacity` is 0…1.
  public init(_ depth: DepthMap, scale: ColourScale, opacity: Float = 1) {
    precondition((0...1).contains(opacity), "an opacity is 0…1")
    (self.depth, self.scale, self.opacity) = (depth, scale, opacity)
  }

  public func draw(on picture: inout Raster<RGBA>) {
    let rows = BilinearRows(depth.knownDepths, size: picture.size)
    picture.blend(scale, opacity: opacity, missing: nil, sampling: rows.read)
  }
}
