public import DepthCore

/// The camera's image, opaque.
public struct CameraImage: PictureLayer {
  private let image: Raster<RGB>

  /// - Parameter size: Of the picture that it is drawn on; resized smoothly where they differ.
  /// - Throws: `GraphicsError` where the image has no pixels or memory is short.
  public init(_ image: Raster<RGB>, size: RasterSize) throws(GraphicsError) {
    self.image = try image.resized(to: size)
  }

  /// - Precondition: The picture has the size given.
  public func draw(on picture: inout Raster<RGBA>) {
    precondition(picture.size == image.size, "an image is drawn at its own size")
    picture.values = image.values.map { RGBA($0) }
  }
}
