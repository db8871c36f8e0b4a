internal import CFathomPictures
public import DepthCore

/// TIFF files of one channel as the numbers that they hold: whole numbers or reals, in strips, however they are compressed.
public enum TIFFReader {
  /// What a file declares.
  public struct Header: Sendable, Hashable {
    public let size: RasterSize
    /// Bits of a number: 8, 16, 32, 64.
    public let bits: Int
    public let isReal: Bool
    let isSigned: Bool
  }

  /// - Throws: `PictureFault` where it is no TIFF, has colours, or declares more than ``PNGReader/mostPixels``.
  public static func header(_ file: [UInt8]) throws(PictureFault) -> Header {
    try header(read(file))
  }

  /// The numbers, never scaled; infinities and NaN stay.
  ///
  /// - Throws: `PictureFault` as ``header(_:)`` does, and where it is damaged or cut short.
  public static func map(_ file: [UInt8]) throws(PictureFault) -> Raster<Float> {
    var stored = try read(file)
    let header = header(stored)
    let count = header.size.count
    var bytes = [UInt8](repeating: 0, count: count * header.bits / 8)
    try PictureFault.attempt {
      fathom_tiff_read_pixels(file, file.count, Int64(PNGReader.mostPixels), &stored, &bytes, $0, $1)
    }
    let values: [Float] = bytes.withUnsafeBytes { bytes in
      func numbers<Stored>(_: Stored.Type, _ number: (Stored) -> Float) -> [Float] {
        (0..<count).map {
          number(bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Stored>.size, as: Stored.self))
        }
      }
      return switch (header.isReal, header.isSigned, header.bits) {
      case (true, _, 16): numbers(UInt16.self, HalfFloat.value)
      case (true, _, 32): numbers(UInt32.self) { Float(bitPattern: $0) }
      case (true, _, _): numbers(UInt64.self) { Float(Double(bitPattern: $0)) }
      case (_, false, 8): numbers(UInt8.self) { Float($0) }
      case (_, false, 16): numbers(UInt16.self) { Float($0) }
      case (_, false, _): numbers(UInt32.self) { Float($0) }
      case (_, true, 8): numbers(Int8.self) { Float($0) }
      case (_, true, 16): numbers(Int16.self) { Float($0) }
      case (_, true, _): numbers(Int32.self) { Float($0) }
      }
    }
    return Raster(width: header.size.width, height: header.size.height, values: values)
  }

  private static func read(_ file: [UInt8]) throws(PictureFault) -> fathom_tiff_header {
    var header = fathom_tiff_header()
    try PictureFault.attempt {
      fathom_tiff_read_header(file, file.count, Int64(PNGReader.mostPixels), &header, $0, $1)
    }
    return header
  }

  private static func header(_ stored: fathom_tiff_header) -> Header {
    Header(
      size: RasterSize(width: Int(stored.width), height: Int(stored.height)), bits: Int(stored.bits),
      isReal: stored.is_real != 0, isSigned: stored.is_signed != 0)
  }
}
