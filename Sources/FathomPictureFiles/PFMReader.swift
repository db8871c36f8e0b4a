public import DepthCore

/// PFM files of one channel: "Pf", the size, a number whose sign tells the order of bytes, then floats from the bottom row up.
public enum PFMReader {
  /// - Throws: `PictureFault` where it is not a single-channel PFM, declares more than ``PNGReader/mostPixels``, or is cut short.
  public static func map(_ file: [UInt8]) throws(PictureFault) -> Raster<Float> {
    let (size, start, isBig) = try header(file, fileSize: file.count)
    var values = [Float](repeating: 0, count: size.count)
    file.withUnsafeBytes { bytes in
      for index in 0..<size.count {
        let bits = bytes.loadUnaligned(fromByteOffset: start + 4 * index, as: UInt32.self)
        let row = size.height - 1 - index / size.width
        values[row * size.width + index % size.width] = Float(
          bitPattern: isBig ? UInt32(bigEndian: bits) : UInt32(littleEndian: bits))
      }
    }
    return Raster(width: size.width, height: size.height, values: values)
  }

  /// - Parameter fileSize: Bytes of the file where only its beginning is given.
  /// - Throws: As ``map(_:)`` does.
  public static func size(_ file: [UInt8], fileSize: Int? = nil) throws(PictureFault) -> RasterSize {
    try header(file, fileSize: fileSize ?? file.count).size
  }

  private static func header(
    _ file: [UInt8], fileSize: Int
  ) throws(PictureFault) -> (size: RasterSize, start: Int, isBig: Bool) {
    let (words, place) = words(of: file)
    guard let first = words.first, first == "Pf" || first == "PF" else {
      throw PictureFault("it is not a PFM file")
    }
    guard first == "Pf" else { throw PictureFault("it is not a single-channel map: it has three channels") }
    guard words.count == 4, let width = Int(words[1]), let height = Int(words[2]),
      let scale = Double(words[3]),
      (1...65_536).contains(width), (1...65_536).contains(height), width * height <= PNGReader.mostPixels,
      scale != 0, scale.isFinite
    else { throw PictureFault("its PFM header cannot be read") }
    guard fileSize >= place + 4 * width * height else { throw PictureFault("the PFM is cut short") }
    return (RasterSize(width: width, height: height), place, scale > 0)
  }

  /// The four words that such a file and a PGM begin with, and where the numbers start. A comment goes from "#" to the end of its line.
  static func words(of file: [UInt8]) -> (words: [String], end: Int) {
    var (words, word, place, isComment): ([String], [UInt8], Int, Bool) = ([], [], 0, false)
    while words.count < 4, place < min(file.count, 4096) {
      let byte = file[place]
      place += 1
      if byte == UInt8(ascii: "#") { isComment = true }
      if isComment {
        isComment = byte != 0x0A && byte != 0x0D
      } else if ![0x20, 0x09, 0x0A, 0x0D].contains(byte) {
        word.append(byte)
      } else if !word.isEmpty {
        words.append(String(decoding: word, as: UTF8.self))
        word = []
      }
    }
    return (words, place)
  }
}
