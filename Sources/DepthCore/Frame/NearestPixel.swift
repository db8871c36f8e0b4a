/// The pixel of a map of another resolution that holds a pixel's centre.
public enum NearestPixel {
  /// ⌊(2·index + 1)·target/(2·source)⌋, exactly, in integers, so that a centre on the border of two pixels always falls to the same one.
  @inlinable public static func index(_ index: Int, of source: Int, in target: Int) -> Int {
    (2 * index + 1) * target / (2 * source)
  }
}

extension Raster {
  /// The element of the pixel that holds the centre of a pixel of another map of the same field of view.
  @inlinable public func nearest(_ row: Int, _ column: Int, of size: RasterSize) -> Element {
    self[
      NearestPixel.index(row, of: size.height, in: height),
      NearestPixel.index(column, of: size.width, in: width)]
  }

  /// The same values at another resolution of the field of view, each from the pixel that holds its centre.
  public func resampledNearest(to size: RasterSize) -> Raster {
    guard size != self.size else { return self }
    var values: [Element] = []
    values.reserveCapacity(size.count)
    for row in 0..<size.height {
      for column in 0..<size.width { values.append(nearest(row, column, of: size)) }
    }
    return Raster(width: size.width, height: size.height, values: values)
  }
}
