public import DepthCore

/// Values of a mask at points of the camera's image, through stride and letterbox (domain §5).
public struct MaskSampler: Sendable {
  private let mask: Raster<Float>
  private let letterbox: Letterbox
  private let stride: Double
  private let flipsRows: Bool
  /// Mask pixels that show the image: between its outermost pixel centres, without the padding.
  private let columns: ClosedRange<Double>, rows: ClosedRange<Double>

  /// - Parameters:
  ///   - mask: At prototype resolution, letterboxed like the network's input.
  ///   - imageSize: The camera's image.
  ///   - stride: Network pixels per mask pixel.
  ///   - flipsRows: Whether the mask's rows count from the bottom.
  /// - Precondition: Neither mask nor image is empty; `stride` is at least 1.
  public init(
    _ mask: Raster<Float>, imageSize: RasterSize, stride: Int, flipsRows: Bool,
    rounding: Letterbox.Rounding = .none
  ) {
    precondition(stride > 0, "a mask pixel has network pixels")
    let input = RasterSize(width: mask.width * stride, height: mask.height * stride)
    self.mask = mask
    self.stride = Double(stride)
    self.flipsRows = flipsRows
    letterbox = Letterbox(image: imageSize, input: input, rounding: rounding)
    let end = letterbox.input(x: Double(imageSize.width), y: Double(imageSize.height))
    columns = Self.centres(letterbox.paddingX / self.stride, end.x / self.stride)
    rows = Self.centres(letterbox.paddingY / self.stride, end.y / self.stride)
  }

  private static func centres(_ first: Double, _ end: Double) -> ClosedRange<Double> {
    // An image narrower than a mask pixel has one centre.
    first + 0.5 <= end - 0.5 ? (first + 0.5)...(end - 0.5) : ((first + end) / 2)...((first + end) / 2)
  }

  /// Bilinear between pixel centres, clamped at the image's edges, so that padding does not leak in.
  ///
  /// - Parameters:
  ///   - u: Column of the image, from its left edge.
  ///   - v: Row of the image, from its top edge.
  public func value(u: Double, v: Double) -> Float {
    let row = flipsRows ? Double(letterbox.imageSize.height) - v : v
    let point = letterbox.input(x: u, y: row)
    let (x, y) = (point.x / stride, point.y / stride)
    return mask.bilinear(
      x: min(max(x, columns.lowerBound), columns.upperBound),
      y: min(max(y, rows.lowerBound), rows.upperBound))
  }

  /// The mask at another resolution of the image's field of view, row 0 at the top: what a picture is blended with.
  public func upsampled(to size: RasterSize) -> Raster<Float> {
    let (sx, sy) = (
      Double(letterbox.imageSize.width) / Double(size.width),
      Double(letterbox.imageSize.height) / Double(size.height)
    )
    var values: [Float] = []
    values.reserveCapacity(size.count)
    for row in 0..<size.height {
      for column in 0..<size.width {
        values.append(value(u: (Double(column) + 0.5) * sx, v: (Double(row) + 0.5) * sy))
      }
    }
    return Raster(width: size.width, height: size.height, values: values)
  }
}

extension Raster where Element == Float {
  /// The value at a continuous point, (0, 0) the outer corner of the first pixel; edges are clamped.
  ///
  /// - Precondition: The raster has pixels and the point is finite.
  func bilinear(x: Double, y: Double) -> Float {
    let column = Swift.min(Swift.max(x - 0.5, 0), Double(width - 1))
    let row = Swift.min(Swift.max(y - 0.5, 0), Double(height - 1))
    let (left, top) = (Int(saturating: column), Int(saturating: row))
    let (right, bottom) = (Swift.min(left + 1, width - 1), Swift.min(top + 1, height - 1))
    let (wx, wy) = (Float(column - Double(left)), Float(row - Double(top)))
    let upper = self[top, left] * (1 - wx) + self[top, right] * wx
    let lower = self[bottom, left] * (1 - wx) + self[bottom, right] * wx
    return upper * (1 - wy) + lower * wy
  }
}
