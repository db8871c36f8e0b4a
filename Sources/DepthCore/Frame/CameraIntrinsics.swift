/// A pinhole camera, in pixels of an image of `imageSize`.
///
/// Image coordinates are continuous: (0, 0) is the outer corner of the top-left pixel and the centre of column i lies at i + ½.
public struct CameraIntrinsics: Sendable, Hashable, Codable {
  /// Focal lengths, pixels.
  public var fx: Double, fy: Double
  /// Principal point, pixels from the outer corner of the top-left pixel.
  public var cx: Double, cy: Double
  /// The image that the four numbers belong to.
  public var imageSize: RasterSize

  public init(fx: Double, fy: Double, cx: Double, cy: Double, imageSize: RasterSize) {
    (self.fx, self.fy, self.cx, self.cy) = (fx, fy, cx, cy)
    self.imageSize = imageSize
  }

  /// The same camera for a map of another resolution that covers the same field of view.
  public func scaled(to size: RasterSize) -> CameraIntrinsics {
    let sx = Double(size.width) / Double(imageSize.width)
    let sy = Double(size.height) / Double(imageSize.height)
    return CameraIntrinsics(fx: fx * sx, fy: fy * sy, cx: cx * sx, cy: cy * sy, imageSize: size)
  }
}
