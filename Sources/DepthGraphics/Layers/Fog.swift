public import DepthCore

/// Virtual fog by depth: mix(picture, fog colour, clamp(d/fogMax)) of the blurred depth.
///
/// After Apple's sample "Creating a Fog Effect Using Scene Depth", whose σ is 5 pixels of the LiDAR's map. Its blur takes
/// in whatever lies at a missing pixel; here missing depth takes no part. Where no depth is near there is no fog.
public struct Fog: PictureLayer {
  private let blurred: DepthMap, colour: RGB, depthOfFullFog: Float

  /// - Parameter depth: Planar, metres, any resolution.
  /// - Parameter sigma: Of the Gaussian, pixels of that map.
  /// - Parameter depthOfFullFog: From where nothing else is seen, metres.
  /// - Precondition: `depthOfFullFog` is positive; `sigma` is finite and not negative.
  public init(
    _ depth: DepthMap, sigma: Double = 5, colour: RGB = RGB(red: 128, green: 128, blue: 128),
    depthOfFullFog: Float = 4
  ) {
    precondition(depthOfFullFog > 0, "fog needs a distance")
    blurred = depth.depthBlurred(sigma: sigma)
    (self.colour, self.depthOfFullFog) = (colour, depthOfFullFog)
  }

  public func draw(on picture: inout Raster<RGBA>) {
    let rows = BilinearRows(blurred, size: picture.size)
    let (colour, full) = (colour, depthOfFullFog)
    picture.blend(sampling: rows.read) { depth in
      let share = depth / full
      let fog = share.replacing(with: 1, where: share .> 1)
      return OctetColour(colour, alpha: fog.replacing(with: 0, where: fog .!= fog))
    }
  }
}
