internal import CFathomCairo
internal import Foundation

extension Canvas {
  /// Draws a picture as an SVG document: text, lines and shapes as vectors, images embedded as PNG.
  ///
  /// Letters are shapes, so that they look alike without the font. Ids are counted from 1 in each document, which Cairo
  /// itself counts over the whole process: the same drawing gives the same bytes.
  /// - Parameter width: Pixels of CSS.
  /// - Parameter height: Pixels of CSS.
  /// - Throws: `GraphicsError` for the first fault of any drawing call.
  public static func svg(
    width: Int, height: Int, background: Colour? = .white,
    _ draw: (borrowing Canvas) throws(GraphicsError) -> Void
  ) throws(GraphicsError) -> [UInt8] {
    let sink = Unmanaged.passRetained(ByteSink())
    defer { sink.release() }
    do {
      let canvas = try Canvas(
        on: CairoSurface(svgWidth: width, height: height, into: sink), width: width, height: height,
        background: background)
      try draw(canvas)
      try canvas.finish("write the picture as SVG")
    }
    return SVGIdentifiers.renumbered(sink.takeUnretainedValue().bytes)
  }

  /// Whether it is an SVG document and not pixels.
  var isDocument: Bool { cairo_surface_get_type(surface.pointer) == CAIRO_SURFACE_TYPE_SVG }
}

/// Takes what Cairo writes.
final class ByteSink { var bytes: [UInt8] = [] }

extension CairoSurface {
  init(svgWidth width: Int, height: Int, into sink: Unmanaged<ByteSink>) throws(GraphicsError) {
    let surface = cairo_svg_surface_create_for_stream(
      { sink, data, count in
        guard let sink, let data else { return CAIRO_STATUS_WRITE_ERROR }
        Unmanaged<ByteSink>.fromOpaque(sink).takeUnretainedValue().bytes
          .append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
        return CAIRO_STATUS_SUCCESS
      }, sink.toOpaque(), Double(width), Double(height))
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX)
    try self.init(owning: surface, "make a picture of \(width)×\(height)")
  }
}

/// Ids and references of an SVG document by Cairo.
enum SVGIdentifiers {
  /// Numbers at the end of ids are counted anew, in the order in which the document declares them.
  static func renumbered(_ document: [UInt8]) -> [UInt8] {
    let text = String(decoding: document, as: UTF8.self)
    var names: [Substring: String] = [:]
    for match in text.matches(of: #/id="([a-z-]+)([0-9-]+)"/#) where names[match.1 + match.2] == nil {
      names[match.1 + match.2] = "\(match.1)\(names.count + 1)"
    }
    let ids = text.replacing(#/id="([a-z-]+[0-9-]+)"/#) { "id=\"\(names[$0.1] ?? String($0.1))\"" }
    let document = ids.replacing(#/#([a-z-]+[0-9-]+)(["\)])/#) { "#\(names[$0.1] ?? String($0.1))\($0.2)" }
    return Array(document.utf8)
  }
}
