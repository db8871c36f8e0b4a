/// By how much something lies farther right and farther down than expected, pixels of a raster that the use names.
public struct PixelOffset: Sendable, Hashable, Codable {
  /// Columns, positive to the right.
  public var x: Double
  /// Rows, positive downwards.
  public var y: Double
  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  /// In its place.
  public static let zero = PixelOffset(x: 0, y: 0)

  /// The same shift in pixels of another raster of the same field of view.
  public func scaled(from source: RasterSize, to target: RasterSize) -> PixelOffset {
    PixelOffset(
      x: x * Double(target.width) / Double(source.width),
      y: y * Double(target.height) / Double(source.height))
  }

  /// The way back.
  public static prefix func - (offset: PixelOffset) -> PixelOffset {
    PixelOffset(x: 0 - offset.x, y: 0 - offset.y)
  }
}
