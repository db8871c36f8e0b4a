/// A row-major image of any element: `values[row * width + column]`, row 0 at the top.
public struct Raster<Element: Sendable>: Sendable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// `width * height` elements, row by row.
  public var values: [Element]

  /// - Precondition: `values.count == width * height`.
  @inlinable public init(width: Int, height: Int, values: [Element]) {
    precondition(values.count == width * height, "a raster holds width × height values")
    (self.width, self.height, self.values) = (width, height, values)
  }

  /// A raster in which every element is `value`.
  @inlinable public init(width: Int, height: Int, filledWith value: Element) {
    self.init(width: width, height: height, values: Array(repeating: value, count: width * height))
  }

  /// The resolution.
  @inlinable public var size: RasterSize { RasterSize(width: width, height: height) }

  @inlinable public subscript(row: Int, column: Int) -> Element {
    get { values[row * width + column] }
    set { values[row * width + column] = newValue }
  }
}

extension Raster: Equatable where Element: Equatable {}

/// Columns × rows of an image or map.
public struct RasterSize: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int
  @inlinable public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
  /// Number of pixels.
  @inlinable public var count: Int { width * height }
  public var description: String { "\(width)×\(height)" }
  /// k for every k-th column and row, so that no side is longer than `limit`.
  package func step(to limit: Int) -> Int { max(1, (max(width, height) + limit - 1) / max(limit, 1)) }

  /// What is left of it then.
  package func reduced(to limit: Int) -> RasterSize {
    let step = step(to: limit)
    return step > 1 ? RasterSize(width: width / step, height: height / step) : self
  }
}

/// Metric depth in metres, or a relative map in a network's own unit; a value that is not finite or not positive is missing.
public typealias DepthMap = Raster<Float>
