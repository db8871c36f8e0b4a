internal import CFathomCairo

/// Owns one Cairo image surface; `deinit` is the only place that releases it.
struct CairoSurface: ~Copyable {
  let pointer: OpaquePointer

  /// - Throws: `GraphicsError` where Cairo refuses the size or has no memory.
  init(_ format: cairo_format_t, width: Int, height: Int) throws(GraphicsError) {
    let operation = "make a picture of \(width)×\(height)"
    // Cairo's images have at most 32,767 pixels a side; a larger number would not even fit its C type.
    guard (1...32_767).contains(width), (1...32_767).contains(height) else {
      throw GraphicsError(operation: operation, reason: "a side must measure 1 to 32,767 pixels")
    }
    try self.init(owning: cairo_image_surface_create(format, Int32(width), Int32(height)), operation)
  }

  /// Takes over a surface that was just made. Cairo never returns nil but an object that holds the fault.
  init(owning surface: OpaquePointer?, _ operation: String) throws(GraphicsError) {
    let status = cairo_surface_status(surface)
    guard status == CAIRO_STATUS_SUCCESS, let surface else {
      cairo_surface_destroy(surface)
      throw GraphicsError(status, operation)
    }
    pointer = surface
  }

  deinit { cairo_surface_destroy(pointer) }

  /// Says what a document shall embed for the surface, in place of what Cairo would encode.
  func embed(_ png: [UInt8]) throws(GraphicsError) {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: png.count)
    copy.initialize(from: png, count: png.count)
    let status = cairo_surface_set_mime_data(
      pointer, CAIRO_MIME_TYPE_PNG, copy, UInt(png.count),
      { $0?.assumingMemoryBound(to: UInt8.self).deallocate() }, copy)
    if status != CAIRO_STATUS_SUCCESS { copy.deallocate() }
    try GraphicsError.check(status, "embed an image")
  }
}

/// Owns one Cairo drawing context, which itself keeps its surface.
struct CairoContext: ~Copyable {
  let pointer: OpaquePointer

  init(_ surface: borrowing CairoSurface) throws(GraphicsError) {
    let context = cairo_create(surface.pointer)
    let status = cairo_status(context)
    guard status == CAIRO_STATUS_SUCCESS, let context else {
      cairo_destroy(context)
      throw GraphicsError(status, "draw")
    }
    pointer = context
  }

  deinit { cairo_destroy(pointer) }
}

extension GraphicsError {
  /// Turns a status other than success into an error.
  static func check(_ status: cairo_status_t, _ operation: String) throws(GraphicsError) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    throw GraphicsError(status, operation)
  }

  init(_ status: cairo_status_t, _ operation: String) {
    self.init(operation: operation, reason: String(cString: cairo_status_to_string(status)))
  }
}
