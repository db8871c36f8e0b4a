/// One detection of a scene: what the app's detector gives, and the true box where it is known.
public struct DetectedObject: Sendable {
  /// Frame that it was seen in, from 0.
  public var frame: Int
  /// Class name, "cup".
  public var label: String
  /// Detector confidence, 0…1.
  public var score: Float
  /// In pixels of the intrinsics' image, rows counted from `DetectionConventions.boxOrigin`.
  public var box: PixelRectangle
  /// Mask values 0…1 at prototype resolution.
  public var mask: Raster<Float>?
  /// The true oriented box, in the world.
  public var truth: OrientedBox?

  public init(
    frame: Int, label: String, score: Float, box: PixelRectangle, mask: Raster<Float>? = nil,
    truth: OrientedBox? = nil
  ) {
    (self.frame, self.label, self.score, self.box, self.mask) = (frame, label, score, box, mask)
    self.truth = truth
  }
}

/// How a scene's boxes and masks are counted.
public struct DetectionConventions: Sendable, Hashable {
  /// Origin of the boxes' rows.
  public var boxOrigin = ImageOrigin.topLeft
  /// Origin of the masks' rows.
  public var maskOrigin = ImageOrigin.topLeft
  /// Network pixels per mask pixel.
  public var maskStride = 4

  public init(boxOrigin: ImageOrigin = .topLeft, maskOrigin: ImageOrigin = .topLeft, maskStride: Int = 4) {
    (self.boxOrigin, self.maskOrigin, self.maskStride) = (boxOrigin, maskOrigin, maskStride)
  }
}

/// An axis-aligned rectangle in continuous image coordinates, pixels.
public struct PixelRectangle: Sendable, Hashable {
  public var minX: Float, minY: Float, maxX: Float, maxY: Float

  public init(minX: Float, minY: Float, maxX: Float, maxY: Float) {
    (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
  }
}
