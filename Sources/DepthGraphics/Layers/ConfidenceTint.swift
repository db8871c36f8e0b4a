public import DepthCore

/// Tints a picture red where the LiDAR is not confident: mix(red, picture, confidence/2).
///
/// Low confidence is solid red, medium half of it, high leaves the picture as it is (the confidence visualization of
/// Apple's fog sample). Whole numbers have no values between them, so each pixel takes the level that it lies in.
public struct ConfidenceTint: PictureLayer {
  /// ARKit's 0 low, 1 medium, 2 high; what is above counts as 2.
  public var confidence: Raster<UInt8>
  /// The sample's `confidenceColor`.
  public static let colour = RGB(red: 255, green: 0, blue: 0)
  public init(_ confidence: Raster<UInt8>) { self.confidence = confidence }

  public func draw(on picture: inout Raster<RGBA>) {
    let levels = Raster(
      width: confidence.width, height: confidence.height, values: confidence.values.map { Float(min($0, 2)) })
    picture.blend(sampling: NearestRows(levels, size: picture.size).read) { level in
      OctetColour(Self.colour, alpha: 1 - level / 2)
    }
  }
}
