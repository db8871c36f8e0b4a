public import DepthCore

/// Values of a mask at points of the camera's image, through stride and letterbox (domain §5).
public struct MaskSampler: Sendable {
  private let mask: Raster<Float>, letterbox: Letterbox, stride: Double, flipsRows: Bool
  /// Mask pixels that show the image: between its outermost pixel centres, without the padding.
  private let columns: ClosedRange<Double>, rows: ClosedRange<Double>

  /// - Parameter mask: At prototype resolution, letterboxed like the network's input.
  /// - Parameter imageSize: The camera's image.
  /// - Parameter stride: Network pixels per mask pixel.
  /// - Parameter flipsRows: Whether the mask's rows count from the bottom.
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
  /// - Parameter u: Column of the image, from its left edge.
  /// - Parameter v: Row of the image, from its top edge.
  public func value(u: Double, v: Double) -> Float { value(column(u), row(v)) }

  /// Two neighbouring columns or rows of the mask, and the weight of the second.
  struct Tap {
    let first: Int, second: Int, weight: Float

    /// - Parameter place: Continuous, 0 the outer edge of the first pixel; ends are clamped.
    fileprivate init(_ place: Double, of length: Int) {
      let centre = min(max(place - 0.5, 0), Double(length - 1))
      first = Int(saturating: centre)
      second = min(first + 1, length - 1)
      weight = Float(centre - Double(first))
    }
  }

  /// What is read for a column of the image, from its left edge: the same for every mask of this size.
  func column(_ u: Double) -> Tap {
    let x = letterbox.input(x: u, y: 0).x / stride
    return Tap(min(max(x, columns.lowerBound), columns.upperBound), of: mask.width)
  }

  /// What is read for a row of the image, from its top edge.
  func row(_ v: Double) -> Tap {
    let y = letterbox.input(x: 0, y: flipsRows ? Double(letterbox.imageSize.height) - v : v).y / stride
    return Tap(min(max(y, rows.lowerBound), rows.upperBound), of: mask.height)
  }

  /// The value at places of this mask or of one of the same size, image and stride.
  func value(_ column: Tap, _ row: Tap) -> Float {
    let (top, bottom) = (row.first * mask.width, row.second * mask.width)
    return mask.values.withUnsafeBufferPointer { values in
      let upper =
        values[top + column.first] * (1 - column.weight) + values[top + column.second] * column.weight
      let lower =
        values[bottom + column.first] * (1 - column.weight) + values[bottom + column.second] * column.weight
      return upper * (1 - row.weight) + lower * row.weight
    }
  }

  /// What is read for the pixel centres of a raster of the image's field of view.
  func taps(of size: RasterSize) -> (columns: [Tap], rows: [Tap]) {
    let (sx, sy) = (
      Double(letterbox.imageSize.width) / Double(size.width),
      Double(letterbox.imageSize.height) / Double(size.height)
    )
    return (
      (0..<size.width).map { column((Double($0) + 0.5) * sx) },
      (0..<size.height).map { row((Double($0) + 0.5) * sy) }
    )
  }

  /// The mask at another resolution of the image's field of view, row 0 at the top: what a picture is blended with.
  public func upsampled(to size: RasterSize) -> Raster<Float> {
    let (columns, rows) = taps(of: size)
    // Each row of the mask is read at all columns once, however many rows lie between it and the next.
    let across = (0..<mask.height).map { row -> [Float] in
      let start = row * mask.width
      return mask.values.withUnsafeBufferPointer { values in
        columns.map { values[start + $0.first] * (1 - $0.weight) + values[start + $0.second] * $0.weight }
      }
    }
    let values = [Float](unsafeUninitializedCapacity: size.count) { values, count in
      for row in rows {
        across[row.first].withUnsafeBufferPointer { upper in
          across[row.second].withUnsafeBufferPointer { lower in
            for column in 0..<size.width {
              values[count + column] = upper[column] * (1 - row.weight) + lower[column] * row.weight
            }
          }
        }
        count += size.width
      }
    }
    return Raster(width: size.width, height: size.height, values: values)
  }
}
