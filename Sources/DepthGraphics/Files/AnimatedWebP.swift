internal import CFathomWebP
public import DepthCore

/// A lossless animation in WebP, which browsers play, frame by frame; one frame makes a still picture.
///
/// GIF has 256 colours a frame, fewer than a photograph under a colour bar needs; WebP keeps every pixel. The encoder runs
/// on one thread and gives the same bytes for the same frames.
public struct AnimatedWebP: ~Copyable {
  private let encoder: OpaquePointer, size: RasterSize, milliseconds: Int
  private var count = 0

  /// - Parameter size: Of every frame, 1…16,383 pixels a side.
  /// - Parameter framesPerSecond: How fast it is played.
  /// - Throws: `GraphicsError` where the size is impossible or memory is short.
  /// - Precondition: `framesPerSecond` is positive.
  public init(size: RasterSize, framesPerSecond: Double) throws(GraphicsError) {
    precondition(framesPerSecond > 0, "an animation moves")
    let operation = "make an animation of \(size)"
    guard (1...16_383).contains(size.width), (1...16_383).contains(size.height) else {
      throw GraphicsError(operation: operation, reason: "a side must measure 1 to 16,383 pixels")
    }
    var options = WebPAnimEncoderOptions()
    guard WebPAnimEncoderOptionsInit(&options) != 0,
      let encoder = WebPAnimEncoderNew(Int32(size.width), Int32(size.height), &options)
    else { throw GraphicsError(operation: operation, reason: "libwebp's versions or memory do not fit") }
    (self.encoder, self.size) = (encoder, size)
    milliseconds = max(1, Int(saturating: (1000 / framesPerSecond).rounded()))
  }

  deinit { WebPAnimEncoderDelete(encoder) }

  /// Adds a frame.
  /// - Throws: `GraphicsError` where memory is short.
  /// - Precondition: The frame has the animation's size.
  public mutating func add(_ frame: Raster<RGB>) throws(GraphicsError) {
    precondition(frame.size == size, "the frames of an animation have one size")
    var (config, picture) = (WebPConfig(), WebPPicture())
    guard WebPConfigInit(&config) != 0, WebPConfigLosslessPreset(&config, 3) != 0,
      WebPPictureInit(&picture) != 0
    else { throw error("add a frame to an animation") }
    defer { WebPPictureFree(&picture) }
    (picture.width, picture.height, picture.use_argb) = (Int32(size.width), Int32(size.height), 1)
    let imported = frame.values.withUnsafeBytes { bytes in
      WebPPictureImportRGB(
        &picture, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(3 * size.width))
    }
    let start = Int32(count * milliseconds)
    guard imported != 0, WebPAnimEncoderAdd(encoder, &picture, start, &config) != 0 else {
      throw error("add a frame to an animation")
    }
    count += 1
  }

  /// The animation as a file, which repeats for ever.
  /// - Throws: `GraphicsError` where it has no frame or memory is short.
  public consuming func file() throws(GraphicsError) -> [UInt8] {
    var data = WebPData()
    defer { WebPDataClear(&data) }
    guard WebPAnimEncoderAdd(encoder, nil, Int32(count * milliseconds), nil) != 0,
      WebPAnimEncoderAssemble(encoder, &data) != 0
    else { throw error("write an animation") }
    return Array(UnsafeBufferPointer(start: data.bytes, count: data.size))
  }

  private func error(_ operation: String) -> GraphicsError {
    let reason = WebPAnimEncoderGetError(encoder).map { String(cString: $0) } ?? ""
    return GraphicsError(operation: operation, reason: reason.isEmpty ? "memory is short" : reason)
  }
}
