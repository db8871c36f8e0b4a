internal import CFathomTurboJPEG
public import DepthCore

/// JPEG files, written by libjpeg-turbo.
public enum JPEG {
  /// An image as a baseline JPEG file (JFIF): 8 bits a channel, colour not subsampled, so that thin coloured lines and
  /// the borders of colour maps stay where they are.
  ///
  /// The accurate integer transform gives the same bytes on every processor.
  /// - Parameter image: At least 1×1, at most 65,500 pixels a side.
  /// - Parameter quality: libjpeg's, 1 worst … 100 best.
  /// - Throws: `GraphicsError` where the image has no pixels or is too large, or memory is short.
  /// - Precondition: `quality` is 1…100.
  public static func encode(_ image: Raster<RGB>, quality: Int = 90) throws(GraphicsError) -> [UInt8] {
    precondition((1...100).contains(quality), "a JPEG's quality is 1…100")
    let operation = "write a picture of \(image.size) as JPEG"
    guard image.width > 0, image.height > 0 else {
      throw GraphicsError(operation: operation, reason: "it has no pixels")
    }
    guard max(image.width, image.height) <= 65_500 else {
      throw GraphicsError(operation: operation, reason: "a side must measure at most 65,500 pixels")
    }
    guard let compressor = tjInitCompress() else {
      throw GraphicsError(operation: operation, reason: reason(nil))
    }
    defer { tjDestroy(compressor) }
    var (file, size): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
    defer { tjFree(file) }
    let status = image.values.withUnsafeBytes { pixels in
      tjCompress2(
        compressor, pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(image.width),
        Int32(image.width * MemoryLayout<RGB>.stride), Int32(image.height), Int32(TJPF_RGB.rawValue), &file,
        &size, Int32(TJSAMP_444.rawValue), Int32(quality), TJFLAG_ACCURATEDCT)
    }
    guard status == 0 else { throw GraphicsError(operation: operation, reason: reason(compressor)) }
    return Array(UnsafeBufferPointer(start: file, count: Int(size)))
  }

  private static func reason(_ compressor: tjhandle?) -> String {
    tjGetErrorStr2(compressor).map { String(cString: $0) } ?? "no reason is known"
  }
}
