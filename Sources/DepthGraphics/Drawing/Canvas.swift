internal import CFathomCairo

/// A picture to draw on: pixels, y downwards, (0, 0) the outer corner of the top-left one.
///
/// Drawing calls cannot fail one by one: Cairo remembers the first fault and ``png()`` throws it. The same calls give the
/// same bytes on the same machine; another version of Cairo, FreeType or the fonts may draw a letter differently.
public struct Canvas: ~Copyable {
  /// Pixels.
  public let width: Int, height: Int
  let surface: CairoSurface, context: CairoContext

  /// - Parameter width: Pixels.
  /// - Parameter height: Pixels.
  /// - Parameter background: nil for transparent.
  /// - Throws: `GraphicsError` where a side is not 1…32,767 pixels or memory is short.
  public init(width: Int, height: Int, background: Colour? = .white) throws(GraphicsError) {
    try self.init(
      on: CairoSurface(CAIRO_FORMAT_ARGB32, width: width, height: height), width: width, height: height,
      background: background)
  }

  /// On a surface that was just made.
  init(
    on surface: consuming CairoSurface, width: Int, height: Int, background: Colour?
  ) throws(GraphicsError) {
    let context = try CairoContext(surface)
    self.surface = surface
    (self.width, self.height) = (width, height)
    self.context = context
    // What fontconfig says about hinting differs between machines.
    let options = cairo_font_options_create()
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_set_font_options(self.context.pointer, options)
    cairo_font_options_destroy(options)
    if let background {
      fill(Rectangle(x: 0, y: 0, width: Double(width), height: Double(height)), background)
    }
  }

  public func fill(_ rectangle: Rectangle, _ colour: Colour) {
    set(colour)
    cairo_rectangle(context.pointer, rectangle.x, rectangle.y, rectangle.width, rectangle.height)
    cairo_fill(context.pointer)
  }

  /// Draws the outline of a rectangle, centred on its edges.
  public func stroke(_ rectangle: Rectangle, _ colour: Colour, width: Double = 1) {
    set(colour)
    cairo_set_line_width(context.pointer, width)
    cairo_rectangle(context.pointer, rectangle.x, rectangle.y, rectangle.width, rectangle.height)
    cairo_stroke(context.pointer)
  }

  /// Draws lines through points; each path is one line, open.
  public func stroke(_ paths: [[SIMD2<Double>]], _ colour: Colour, width: Double = 1) {
    set(colour)
    cairo_set_line_width(context.pointer, width)
    cairo_set_line_join(context.pointer, CAIRO_LINE_JOIN_ROUND)
    cairo_set_line_cap(context.pointer, CAIRO_LINE_CAP_ROUND)
    for path in paths {
      guard let first = path.first else { continue }
      cairo_move_to(context.pointer, first.x, first.y)
      for point in path.dropFirst() { cairo_line_to(context.pointer, point.x, point.y) }
    }
    cairo_stroke(context.pointer)
  }

  /// Fills the shape within a line through points.
  func fill(_ path: [SIMD2<Double>], _ colour: Colour) {
    guard let first = path.first else { return }
    set(colour)
    cairo_move_to(context.pointer, first.x, first.y)
    for point in path.dropFirst() { cairo_line_to(context.pointer, point.x, point.y) }
    cairo_fill(context.pointer)
  }

  /// Fills a circle.
  public func dot(_ centre: SIMD2<Double>, radius: Double, _ colour: Colour) {
    set(colour)
    cairo_new_path(context.pointer)
    cairo_arc(context.pointer, centre.x, centre.y, radius, 0, 2 * Double.pi)
    cairo_fill(context.pointer)
  }

  /// Runs `body` while nothing outside the rectangle can be drawn on.
  public func clipped(to rectangle: Rectangle, _ body: () -> Void) {
    cairo_save(context.pointer)
    cairo_rectangle(context.pointer, rectangle.x, rectangle.y, rectangle.width, rectangle.height)
    cairo_clip(context.pointer)
    body()
    cairo_restore(context.pointer)
  }

  /// The picture as a PNG file, RGBA, 8 bits a channel.
  /// - Throws: `GraphicsError` for the first fault of any drawing call, or where memory is short.
  public func png() throws(GraphicsError) -> [UInt8] { try PNG.encode(try transparentPixels()) }

  /// Writes what is left to write, to a surface that is a document.
  /// - Throws: `GraphicsError` for the first fault of any drawing call.
  func finish(_ operation: String) throws(GraphicsError) {
    try GraphicsError.check(cairo_status(context.pointer), operation)
    cairo_surface_finish(surface.pointer)
    try GraphicsError.check(cairo_surface_status(surface.pointer), operation)
  }

  /// What stands in a pixel, for tests.
  func pixel(row: Int, column: Int) -> Colour? {
    cairo_surface_flush(surface.pointer)
    guard let data = cairo_image_surface_get_data(surface.pointer) else { return nil }
    let offset = row * Int(cairo_image_surface_get_stride(surface.pointer)) + 4 * column
    let word = UnsafeRawPointer(data).load(fromByteOffset: offset, as: UInt32.self)
    let alpha = Double(word >> 24) / 255
    guard alpha > 0 else { return Colour(grey: 0, alpha: 0) }
    // Cairo stores channels multiplied by the opacity.
    func channel(_ shift: UInt32) -> Double { Double(word >> shift & 255) / 255 / alpha }
    return Colour(red: channel(16), green: channel(8), blue: channel(0), alpha: alpha)
  }

  func set(_ colour: Colour) {
    cairo_set_source_rgba(context.pointer, colour.red, colour.green, colour.blue, colour.alpha)
  }
}
