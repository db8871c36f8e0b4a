public import DepthCore

/// The quarter turn clockwise that shows the camera's landscape image upright: `.oriented(.right)` of the app.
///
/// Points and rectangles of the landscape image may count rows from either end; those of the portrait image count
/// from its top left (domain §5).
public struct PortraitRotation: Sendable, Hashable {
  public let landscape: RasterSize
  public init(landscape: RasterSize) { self.landscape = landscape }
  public var portrait: RasterSize { RasterSize(width: landscape.height, height: landscape.width) }

  /// (minY, minX, height, width) where rows count from the bottom, (H − maxY, minX, height, width) from the top.
  public func portrait(_ box: PixelRectangle, origin: ImageOrigin) -> PixelRectangle {
    let bottom = origin == .bottomLeft ? box : box.flipped(imageHeight: landscape.height)
    return PixelRectangle(minX: bottom.minY, minY: bottom.minX, maxX: bottom.maxY, maxY: bottom.maxX)
  }

  /// Undoes ``portrait(_:origin:)``: the landscape rectangle with rows counted from `origin`.
  public func landscape(_ box: PixelRectangle, origin: ImageOrigin) -> PixelRectangle {
    let bottom = PixelRectangle(minX: box.minY, minY: box.minX, maxX: box.maxY, maxY: box.maxX)
    return origin == .bottomLeft ? bottom : bottom.flipped(imageHeight: landscape.height)
  }

  /// A point of the landscape image in the portrait one.
  public func portrait(x: Double, y: Double, origin: ImageOrigin) -> (x: Double, y: Double) {
    (origin == .bottomLeft ? y : Double(landscape.height) - y, x)
  }

  /// A point of the portrait image in the landscape one, as a tap needs it.
  public func landscape(x: Double, y: Double, origin: ImageOrigin) -> (x: Double, y: Double) {
    (y, origin == .bottomLeft ? x : Double(landscape.height) - x)
  }

  /// The landscape raster, its rows counted from `origin`, turned upright.
  public func portrait<Element>(_ raster: Raster<Element>, origin: ImageOrigin) -> Raster<Element> {
    var values: [Element] = []
    values.reserveCapacity(raster.values.count)
    for row in 0..<raster.width {
      for column in 0..<raster.height {
        values.append(raster[origin == .bottomLeft ? column : raster.height - 1 - column, row])
      }
    }
    return Raster(width: raster.height, height: raster.width, values: values)
  }
}
