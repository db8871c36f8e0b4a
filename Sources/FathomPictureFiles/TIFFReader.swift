internal import CFathomPictures
public import DepthCore

/// TIFF files of one channel as the numbers that they hold: whole numbers or reals, in strips, however they are compressed. Of pictures,
/// red, green and blue of 8 bits are read, too.
public enum TIFFReader {
  /// What a file declares.
  public struct Header: Sendable, Hashable {
    public let size: RasterSize
    /// Bits of a number: 8, 16, 32, 64.
    public let bits: Int
    public let isReal: Bool
    /// Of whole numbers.
    public let isSigned: Bool
  }

  /// - Throws: `PictureFault` where it is not a TIFF, has colours, or declares more than ``PNGReader/mostPixels``.
  public static func header(_ file: [UInt8]) throws(PictureFault) -> Header {
    try header(read(file))
  }

  /// The numbers, never scaled; infinities and NaN stay.
  ///
  /// - Throws: `PictureFault` as ``header(_:)`` does, and where it is damaged or cut short.
  public static func map(_ file: [UInt8]) throws(PictureFault) -> Raster<Float> {
    let (size, _, values) = try numbers(file, read(file))
    return Raster(width: size.width, height: size.height, values: values)
  }

  /// All channels, pixel by pixel, never scaled.
  ///
  /// - Throws: `PictureFault` where it is not a TIFF of at most four channels beside each other, or is damaged or cut short.
  public static func channels(
    _ file: [UInt8]
  ) throws(PictureFault) -> (size: RasterSize, count: Int, values: [Float]) {
    try numbers(file, read(file, pictures: 2))
  }

  private static func numbers(
    _ file: [UInt8], _ read: fathom_tiff_header
  ) throws(PictureFault) -> (size: RasterSize, count: Int, values: [Float]) {
    var stored = read
    let header = header(stored)
    let count = header.size.count * Int(stored.channels)
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
    return (header.size, Int(stored.channels), values)
  }

  /// A picture in grey or colours.
  ///
  /// - Throws: `PictureFault` where it is not a TIFF, has no 8 bits a channel, is damaged or cut short.
  public static func colour(_ file: [UInt8]) throws(PictureFault) -> Raster<RGB> {
    var header = try picture(file)
    let (size, channels) = (Self.header(header).size, Int(header.channels))
    var bytes = [UInt8](repeating: 0, count: size.count * channels)
    try PictureFault.attempt {
      fathom_tiff_read_pixels(file, file.count, Int64(PNGReader.mostPixels), &header, &bytes, $0, $1)
    }
    let step = channels == 3 ? 1 : 0
    return Raster(
      width: size.width, height: size.height,
      values: (0..<size.count).map {
        let first = $0 * channels
        return RGB(red: bytes[first], green: bytes[first + step], blue: bytes[first + 2 * step])
      })
  }

  /// Size of a picture. All bytes are needed: its header may stand at its end.
  ///
  /// - Throws: `PictureFault` as ``colour(_:)`` does.
  public static func size(ofPicture file: [UInt8]) throws(PictureFault) -> RasterSize {
    header(try picture(file)).size
  }

  private static func picture(_ file: [UInt8]) throws(PictureFault) -> fathom_tiff_header {
    let header = try read(file, pictures: 1)
    guard header.bits == 8, header.is_real == 0, header.is_signed == 0 else {
      throw PictureFault("it has \(header.bits) bits a pixel, and a picture has 8 a channel")
    }
    return header
  }

  private static func read(
    _ file: [UInt8], pictures: Int32 = 0
  ) throws(PictureFault) -> fathom_tiff_header {
    var header = fathom_tiff_header()
    try PictureFault.attempt {
      fathom_tiff_read_header(
        file, file.count, Int64(PNGReader.mostPixels), pictures, &header, $0, $1)
    }
    return header
  }

  private static func header(_ stored: fathom_tiff_header) -> Header {
    Header(
      size: RasterSize(width: Int(stored.width), height: Int(stored.height)), bits: Int(stored.bits),
      isReal: stored.is_real != 0, isSigned: stored.is_signed != 0)
  }
}
