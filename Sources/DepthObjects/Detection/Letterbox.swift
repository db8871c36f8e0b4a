public import DepthCore

/// How an image is fitted into a network's input: scaled by min(W_net/W, H_net/H), the rest padded half and half
/// (domain §5).
///
/// Points and boxes are continuous pixels, (0, 0) the outer corner of the first pixel. The padding is symmetric, so
/// rows may count from either end as long as both sides count from the same.
public struct Letterbox: Sendable, Hashable {
  /// How a letterbox that does not come out in whole pixels is made.
  public enum Rounding: String, Sendable, Hashable, Codable, CaseIterable, OptionValue {
    /// Not rounded.
    case none
    /// The scaled image and the padding before it are whole pixels, as ultralytics makes them: sides rounded half to
    /// even, padding rounded after 0.1 is taken away.
    case wholePixels = "whole-pixels"
  }

  public let imageSize: RasterSize, inputSize: RasterSize
  /// Network pixels per image pixel, along x and y; equal unless rounded.
  public let scaleX: Double, scaleY: Double
  /// Network pixels before the image's first column and row.
  public let paddingX: Double, paddingY: Double

  /// - Precondition: Neither size is empty.
  public init(image: RasterSize, input: RasterSize, rounding: Rounding = .none) {
    precondition(image.count > 0 && input.count > 0, "an image has pixels")
    (imageSize, inputSize) = (image, input)
    let scale = min(
      Double(input.width) / Double(image.width), Double(input.height) / Double(image.height))
    var (width, height) = (Double(image.width) * scale, Double(image.height) * scale)
    if rounding == .wholePixels {
      width = max(width.rounded(.toNearestOrEven), 1)
      height = max(height.rounded(.toNearestOrEven), 1)
    }
    (scaleX, scaleY) = (width / Double(image.width), height / Double(image.height))
    let (restX, restY) = ((Double(input.width) - width) / 2, (Double(input.height) - height) / 2)
    let isWhole = rounding == .wholePixels
    paddingX = isWhole ? (restX - 0.1).rounded(.toNearestOrEven) : restX
    paddingY = isWhole ? (restY - 0.1).rounded(.toNearestOrEven) : restY
  }

  /// A point of the image in the network's input.
  public func input(x: Double, y: Double) -> (x: Double, y: Double) {
    (x * scaleX + paddingX, y * scaleY + paddingY)
  }

  /// A point of the network's input in the image.
  public func image(x: Double, y: Double) -> (x: Double, y: Double) {
    ((x - paddingX) / scaleX, (y - paddingY) / scaleY)
  }

  /// A rectangle of the image in the network's input.
  public func input(_ box: PixelRectangle) -> PixelRectangle {
    let (low, high) = (
      input(x: Double(box.minX), y: Double(box.minY)), input(x: Double(box.maxX), y: Double(box.maxY))
    )
    return PixelRectangle(minX: Float(low.x), minY: Float(low.y), maxX: Float(high.x), maxY: Float(high.y))
  }

  /// A rectangle of the network's input in the image, clipped to it.
  public func image(_ box: PixelRectangle) -> PixelRectangle {
    let (low, high) = (
      image(x: Double(box.minX), y: Double(box.minY)), image(x: Double(box.maxX), y: Double(box.maxY))
    )
    func clip(_ value: Double, _ limit: Int) -> Float { Float(min(max(value, 0), Double(limit))) }
    return PixelRectangle(
      minX: clip(low.x, imageSize.width), minY: clip(low.y, imageSize.height),
      maxX: clip(high.x, imageSize.width), maxY: clip(high.y, imageSize.height))
  }
}
