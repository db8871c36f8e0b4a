internal import CFathomCairo
public import DepthCore

extension Canvas {
  /// How pixels that are not of the canvas's size are drawn.
  public enum Interpolation: Sendable {
    /// Each as a rectangle: for maps, whose pixels are measurements.
    case nearest
    /// Smoothly, averaged where the image shrinks: for photographs.
    case smooth
  }

  /// Draws an image so that it fills a rectangle.
  /// - Throws: `GraphicsError` where the image has no pixels or too many, or memory is short.
  public func image(
    _ image: Raster<RGB>, in rectangle: Rectangle, interpolation: Interpolation = .smooth
  ) throws(GraphicsError) {
    let source = try CairoSurface.holding(image, CAIRO_FORMAT_RGB24) {
      UInt32($0.red) << 16 | UInt32($0.green) << 8 | UInt32($0.blue)
    }
    cairo_save(context.pointer)
    cairo_rectangle(context.pointer, rectangle.x, rectangle.y, rectangle.width, rectangle.height)
    cairo_clip(context.pointer)
    cairo_translate(context.pointer, rectangle.x, rectangle.y)
    cairo_scale(
      context.pointer, rectangle.width / Double(image.width), rectangle.height / Double(image.height))
    cairo_set_source_surface(context.pointer, source.pointer, 0, 0)
    let pattern = cairo_get_source(context.pointer)
    cairo_pattern_set_filter(pattern, interpolation == .nearest ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD)
    // Otherwise the outermost pixels fade into what lies beyond the image.
    cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
    cairo_paint(context.pointer)
    cairo_restore(context.pointer)
  }

  /// Draws pixels one to one; what is transparent lets through what was drawn before.
  ///
  /// A document embeds them as they are; a picture keeps channels of what is not opaque to a few steps of 255.
  /// - Parameter corner: Of the top-left pixel.
  /// - Throws: `GraphicsError` where there are no pixels or too many, or memory is short.
  public func image(_ pixels: Raster<RGBA>, at corner: SIMD2<Double>) throws(GraphicsError) {
    let source = try CairoSurface.holding(pixels, CAIRO_FORMAT_ARGB32) { $0.premultiplied }
    if isDocument { try source.embed(PNG.encode(pixels)) }
    cairo_set_source_surface(context.pointer, source.pointer, corner.x, corner.y)
    cairo_pattern_set_filter(cairo_get_source(context.pointer), CAIRO_FILTER_NEAREST)
    cairo_paint(context.pointer)
  }
}

extension CairoSurface {
  /// - Parameter word: A pixel as the format stores it.
  fileprivate static func holding<Pixel>(
    _ pixels: Raster<Pixel>, _ format: cairo_format_t, _ word: (Pixel) -> UInt32
  ) throws(GraphicsError) -> CairoSurface {
    let surface = try CairoSurface(format, width: pixels.width, height: pixels.height)
    guard let data = cairo_image_surface_get_data(surface.pointer) else {
      throw GraphicsError(operation: "draw an image", reason: "it has no pixels")
    }
    let stride = Int(cairo_image_surface_get_stride(surface.pointer))
    for row in 0..<pixels.height {
      let line = UnsafeMutableRawPointer(data + row * stride)
      for column in 0..<pixels.width {
        line.storeBytes(of: word(pixels[row, column]), toByteOffset: 4 * column, as: UInt32.self)
      }
    }
    cairo_surface_mark_dirty(surface.pointer)
    return surface
  }
}
