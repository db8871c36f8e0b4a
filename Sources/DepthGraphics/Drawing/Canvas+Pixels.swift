internal import CFathomCairo
public import DepthCore

extension Canvas {
  /// What was drawn, as pixels; what is not opaque stands over black.
  /// - Throws: `GraphicsError` for the first fault of any drawing call.
  public func pixels() throws(GraphicsError) -> Raster<RGB> {
    try read { RGB(red: UInt8($0 >> 16 & 255), green: UInt8($0 >> 8 & 255), blue: UInt8($0 & 255)) }
  }

  /// What was drawn, with its opacity. What is not opaque is kept to a few steps of 255, because Cairo multiplies channels by
  /// the opacity.
  /// - Throws: `GraphicsError` for the first fault of any drawing call.
  func transparentPixels() throws(GraphicsError) -> Raster<RGBA> { try read { RGBA(premultiplied: $0) } }

  private func read<Pixel>(_ pixel: (UInt32) -> Pixel) throws(GraphicsError) -> Raster<Pixel> {
    let operation = "read the picture's pixels"
    try GraphicsError.check(cairo_status(context.pointer), operation)
    cairo_surface_flush(surface.pointer)
    guard let data = cairo_image_surface_get_data(surface.pointer) else {
      throw GraphicsError(operation: operation, reason: "it has none")
    }
    let stride = Int(cairo_image_surface_get_stride(surface.pointer))
    let values = [Pixel](unsafeUninitializedCapacity: width * height) { target, count in
      for row in 0..<height {
        let line = UnsafeRawPointer(data + row * stride)
        for column in 0..<width {
          let word = line.load(fromByteOffset: 4 * column, as: UInt32.self)
          target.initializeElement(at: row * width + column, to: pixel(word))
        }
      }
      count = width * height
    }
    return Raster(width: width, height: height, values: values)
  }
}

extension Raster where Element == RGB {
  /// The image at another resolution, smoothly: averaged where it shrinks, interpolated where it grows.
  ///
  /// The average is of sRGB values, as image viewers have it, by Cairo's filter.
  /// - Throws: `GraphicsError` where a side of either is not 1…32,767 pixels, or memory is short.
  public func resized(to size: RasterSize) throws(GraphicsError) -> Raster<RGB> {
    guard size != self.size else { return self }
    let canvas = try Canvas(width: size.width, height: size.height, background: .black)
    try canvas.image(self, in: Rectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height)))
    return try canvas.pixels()
  }
}
