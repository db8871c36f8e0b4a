internal import CFathomTurboJPEG
public import DepthCore
internal import FathomPlainText
private import Glibc

/// JPEG files, read by libjpeg-turbo: pixels as they are stored, whatever EXIF says about turning them.
public struct JPEGReader: ~Copyable {
  private let handle: tjhandle

  /// - Throws: `PictureFault` where memory is short.
  public init() throws(PictureFault) {
    guard let handle = tjInitDecompress() else { throw PictureFault(.memoryIsShort) }
    self.handle = handle
  }

  deinit { tjDestroy(handle) }

  /// Size of the picture that a file begins to hold.
  ///
  /// - Throws: `PictureFault` where it is not a JPEG, or declares more than ``PNGReader/mostPixels``.
  public func size(_ file: [UInt8]) throws(PictureFault) -> RasterSize {
    var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
    errno = 0
    let status = tjDecompressHeader3(handle, file, UInt(file.count), &width, &height, &sampling, &space)
    let number = errno
    if status != 0 { throw unreadable(words, number) }
    let size = RasterSize(width: Int(width), height: Int(height))
    guard size.width > 0, size.height > 0, size.count <= PNGReader.mostPixels else {
      throw PictureFault("it declares \(size) pixels, and at most \(PNGReader.mostPixels) are read")
    }
    return size
  }

  /// - Throws: `PictureFault` where it is not a JPEG, is damaged or cut short.
  public func picture(_ file: [UInt8]) throws(PictureFault) -> Raster<RGB> {
    let size = try size(file)
    var pixels = [RGB](repeating: RGB(red: 0, green: 0, blue: 0), count: size.count)
    let (status, number) = pixels.withUnsafeMutableBytes { pixels in
      errno = 0
      let status = tjDecompress2(
        handle, file, UInt(file.count), pixels.baseAddress?.assumingMemoryBound(to: UInt8.self),
        Int32(size.width), Int32(size.width * MemoryLayout<RGB>.stride), Int32(size.height),
        Int32(TJPF_RGB.rawValue), TJFLAG_ACCURATEDCT)
      return (status, errno)
    }
    if status != 0 {
      let words = words
      // Bytes between the parts of a file, which some cameras leave, cost no pixel.
      guard words.contains("extraneous bytes before marker") else {
        throw words.contains("remature end")
          ? PictureFault("the JPEG is cut short") : unreadable(words, number)
      }
    }
    return Raster(width: size.width, height: size.height, values: pixels)
  }

  /// TurboJPEG has no numbers for its errors; where it asked for memory in vain, malloc has left one.
  private func unreadable(_ words: String, _ number: Int32) -> PictureFault {
    let reason = "the JPEG cannot be read: \(words)"
    return number == ENOMEM ? PictureFault(.memoryIsShort, reason) : PictureFault(reason)
  }

  private var words: String { tjGetErrorStr2(handle).map { String(cString: $0) } ?? "no reason is known" }
}
