public import DepthCore

/// PGM files of grey: "P5", the size, the largest number, then whole numbers of 8 bits, or of 16 with the high byte first.
public enum PGMReader {
  /// What a file declares.
  public struct Header: Sendable, Hashable {
    public let size: RasterSize
    /// Bits of a number: 8, or 16 where the largest is above 255.
    public let bits: Int
    /// Place of the first number.
    let start: Int
  }

  /// - Parameter fileSize: Bytes of the file where only its beginning is given.
  /// - Throws: `PictureFault` where it is not a PGM of bytes, declares more than ``PNGReader/mostPixels``, or is cut short.
  public static func header(_ file: [UInt8], fileSize: Int? = nil) throws(PictureFault) -> Header {
    let (words, start) = PFMReader.words(of: file)
    guard words.first == "P5" else { throw PictureFault("it is not a PGM of bytes") }
    guard words.count == 4, let width = Int(words[1]), let height = Int(words[2]), let most = Int(words[3]),
      (1...65_536).contains(width), (1...65_536).contains(height), width * height <= PNGReader.mostPixels,
      (1...65_535).contains(most)
    else { throw PictureFault("its PGM header cannot be read") }
    let bits = most > 255 ? 16 : 8
    guard (fileSize ?? file.count) - start >= width * height * bits / 8 else {
      throw PictureFault("the PGM is cut short")
    }
    return Header(size: RasterSize(width: width, height: height), bits: bits, start: start)
  }

  /// The numbers as they stand in the file: never scaled.
  ///
  /// - Throws: As ``header(_:fileSize:)`` does.
  public static func map(_ file: [UInt8]) throws(PictureFault) -> Raster<UInt16> {
    let header = try header(file)
    let values = (0..<header.size.count).map { index in
      guard header.bits == 16 else { return UInt16(file[header.start + index]) }
      let place = header.start + 2 * index
      return UInt16(file[place]) << 8 | UInt16(file[place + 1])
    }
    return Raster(width: header.size.width, height: header.size.height, values: values)
  }
}
