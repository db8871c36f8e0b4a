public import DepthCore

/// The app's depth overlay: a mixture of red, near, and blue, far.
///
/// t = clamp((d − near)/(far − near), 0, 1); colour = mix(red, blue, t); opacity constant; missing depth transparent
/// (the fragment shader of the depth visualization; Metal's `mix(a, b, t)` is a + (b − a)·t). Depth is read as the
/// shader's sampler does. The shader draws a depth of 0 as near; here it is missing, as in the data sets.
public struct DepthRamp: PictureLayer {
  /// Planar depth, metres, any resolution.
  public var depth: DepthMap
  /// Depths that are all red and all blue, metres.
  public var near: Float, far: Float
  /// 0…1.
  public var opacity: Float
  /// Red, as the shader has it.
  public static let nearColour = RGB(red: 255, green: 0, blue: 0)
  public static let farColour = RGB(red: 0, green: 0, blue: 255)

  /// - Precondition: `near` < `far`; `opacity` is 0…1.
  public init(_ depth: DepthMap, near: Float = 0.5, far: Float = 5, opacity: Float = 0.4) {
    precondition(near < far, "a ramp rises")
    precondition((0...1).contains(opacity), "an opacity is 0…1")
    (self.depth, self.near, self.far, self.opacity) = (depth, near, far, opacity)
  }

  public func draw(on picture: inout Raster<RGBA>) {
    let rows = BilinearRows(depth.knownDepths, size: picture.size)
    let (near, extent) = (near, far - near)
    let opacity = SIMD8<Float>(repeating: opacity)
    let none = SIMD8<Float>(repeating: 0)
    picture.blend(sampling: rows.read) { sample in
      let isKnown = sample .== sample
      let depth = sample.replacing(with: near, where: .!isKnown)
      let share = (depth - near) / extent
      let above = share.replacing(with: 0, where: share .< 0)
      let t = above.replacing(with: 1, where: above .> 1)
      return OctetColour(
        red: 255 * (1 - t), green: none, blue: 255 * t, alpha: opacity.replacing(with: 0, where: .!isKnown))
    }
  }
}
