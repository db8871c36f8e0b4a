public import DepthCore

extension PixelRectangle {
  /// Pixels along x; negative where the edges are swapped.
  public var width: Float { maxX - minX }
  /// Pixels along y.
  public var height: Float { maxY - minY }
  /// Square pixels; 0 where the edges are swapped.
  public var area: Float { max(width, 0) * max(height, 0) }
  /// Whether no edge is NaN or infinite.
  public var isFinite: Bool { minX.isFinite && minY.isFinite && maxX.isFinite && maxY.isFinite }

  /// Intersection over union, 0…1; 0 for two boxes without area.
  public func overlap(with other: PixelRectangle) -> Float {
    let common = PixelRectangle(
      minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX),
      maxY: min(maxY, other.maxY)
    ).area
    let union = area + other.area - common
    return union > 0 ? common / union : 0
  }

  /// The same rectangle with its rows counted from the image's other end.
  public func flipped(imageHeight: Int) -> PixelRectangle {
    let height = Float(imageHeight)
    return PixelRectangle(minX: minX, minY: height - maxY, maxX: maxX, maxY: height - minY)
  }

  /// The same rectangle with its rows counted from the top.
  public func fromTop(_ origin: ImageOrigin, imageHeight: Int) -> PixelRectangle {
    origin == .topLeft ? self : flipped(imageHeight: imageHeight)
  }
}
