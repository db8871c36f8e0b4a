internal import CFathomPictures
private import CFathomZlib
public import DepthCore

/// PNG files as the numbers that they hold. Gamma, colour profiles and Apple's own chunks are passed over: a depth of 1000 must not
/// become another one because of how a picture should be shown.
public enum PNGReader {
  /// What a file declares.
  public struct Header: Sendable, Hashable {
    public let size: RasterSize
    /// Bits of a channel: 1, 2, 4, 8, 16.
    public let bitDepth: Int
    /// Whether it has one channel: no colour, no palette, no opacity.
    public let isGrey: Bool
    /// 1 to 4; of a palette, those of its colours.
    public let channelCount: Int
  }

  /// Larger ones are refused before memory is asked for: 8192×8192.
  public static let mostPixels = 1 << 26

  /// - Throws: `PictureFault` where it is not a PNG, or declares more than ``mostPixels``.
  public static func header(_ file: [UInt8]) throws(PictureFault) -> Header {
    var header = fathom_png_header()
    try PictureFault.attempt { fathom_png_read_header(file, file.count, &header, $0, $1) }
    let size = RasterSize(width: Int(header.width), height: Int(header.height))
    // Two numbers below 2^31 multiply without overflow.
    guard size.count <= mostPixels else {
      throw PictureFault("it declares \(size) pixels, and at most \(mostPixels) are read")
    }
    return Header(
      size: size, bitDepth: Int(header.bit_depth), isGrey: header.is_grey != 0,
      channelCount: Int(header.channels))
  }

  /// Holds the lengths of the parts of a file against its own, which costs less than decoding.
  ///
  /// - Throws: `PictureFault` where it is cut short.
  public static func requireWhole(_ file: [UInt8]) throws(PictureFault) {
    try visitParts(of: file) { (_, _, _) in }
  }

  /// The numbers in its text chunks by their keywords, such as the range of a logarithmic map: a keyword, 0, and a text, in Latin 1.
  ///
  /// - Throws: `PictureFault` where it is cut short, or a part does not have its checksum: the numbers may be others.
  public static func numbers(_ file: [UInt8]) throws(PictureFault) -> [String: Double] {
    var numbers: [String: Double] = [:]
    try visitParts(of: file) { (part, data, sum) throws(PictureFault) in
      let found = part.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
      guard found == UInt(sum) else { throw PictureFault("the PNG is damaged: a part has not its checksum") }
      guard part.starts(with: Array("tEXt".utf8)), let end = data.firstIndex(of: 0),
        let number = Double(String(decoding: data[(end + 1)...], as: UTF8.self))
      else { return }
      numbers[String(decoding: data[..<end], as: UTF8.self)] = number
    }
    return numbers
  }

  /// - Parameter visit: Takes kind and data of a part, its data alone, and the checksum of both.
  /// - Throws: `PictureFault` where the file is cut short, and what `visit` throws.
  private static func visitParts(
    of file: [UInt8],
    _ visit: (_ part: ArraySlice<UInt8>, _ data: ArraySlice<UInt8>, _ sum: Int) throws(PictureFault) -> Void
  ) throws(PictureFault) {
    func number(_ place: Int) -> Int { file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    var place = 8
    while place + 12 <= file.count {
      let end = place + 8 + number(place)
      guard end + 4 <= file.count else { break }
      let part = file[place + 4..<end]
      try visit(part, file[place + 8..<end], number(end))
      if part.starts(with: Array("IEND".utf8)) { return }
      place = end + 4
    }
    throw PictureFault("the PNG is cut short")
  }

  /// What is said of a map whose channels differ.
  public static let colourMap = PictureFault(
    "its channels differ: it is a colour map, and colours cannot be turned back into numbers")

  /// The numbers of a map of one channel, or of 16 bits whose colours are equal and whose opacity is skipped, as they
  /// stand in the file: never scaled.
  ///
  /// - Throws: `PictureFault` where it is not a PNG, has colours of 8 bits or unlike ones, is damaged or cut short.
  public static func grey(_ file: [UInt8]) throws(PictureFault) -> Raster<UInt16> {
    let header = try header(file)
    guard header.isGrey || header.bitDepth == 16 else {
      throw PictureFault("it is not a single-channel map: it has colour or alpha")
    }
    let (size, count) = (header.size, header.channelCount)
    var values = try pixels(file, header)
    // One or three colours; opacity, behind them, is skipped.
    for index in 0..<(count == 1 ? 0 : size.count) {
      let first = values[count * index]
      guard count < 3 || values[count * index + 1] == first && values[count * index + 2] == first else {
        throw colourMap
      }
      values[index] = first
    }
    values.removeLast((count - 1) * size.count)
    return Raster(width: size.width, height: size.height, values: values)
  }

  /// All channels, pixel by pixel, as they stand in the file.
  ///
  /// - Throws: `PictureFault` where it is not a PNG, is damaged or cut short.
  public static func channels(_ file: [UInt8]) throws(PictureFault) -> (header: Header, values: [UInt16]) {
    let header = try header(file)
    return (header, try pixels(file, header))
  }

  private static func pixels(_ file: [UInt8], _ header: Header) throws(PictureFault) -> [UInt16] {
    try requireBytes(header, file)
    let (width, height) = (UInt32(header.size.width), UInt32(header.size.height))
    let count = header.size.count * header.channelCount
    guard header.bitDepth == 16 else {
      var bytes = [UInt8](repeating: 0, count: count)
      try PictureFault.attempt {
        fathom_png_read_pixels(file, file.count, FATHOM_PNG_ALL, width, height, &bytes, $0, $1)
      }
      return bytes.map { UInt16($0) }
    }
    var values = [UInt16](repeating: 0, count: count)
    try PictureFault.attempt {
      fathom_png_read_pixels(file, file.count, FATHOM_PNG_ALL, width, height, &values, $0, $1)
    }
    return values
  }

  /// A picture in colours; opacity is dropped.
  ///
  /// - Throws: `PictureFault` where it is not a PNG, is damaged or cut short.
  public static func colour(_ file: [UInt8]) throws(PictureFault) -> Raster<RGB> {
    let header = try header(file)
    try requireBytes(header, file)
    let size = header.size
    var pixels = [RGB](repeating: RGB(red: 0, green: 0, blue: 0), count: size.count)
    try PictureFault.attempt { reason, length in
      pixels.withUnsafeMutableBytes {
        fathom_png_read_pixels(
          file, file.count, FATHOM_PNG_RGB8, UInt32(size.width), UInt32(size.height), $0.baseAddress, reason,
          length)
      }
    }
    return Raster(width: size.width, height: size.height, values: pixels)
  }

  /// Deflate makes at most 1,032 bytes of one.
  private static func requireBytes(_ header: Header, _ file: [UInt8]) throws(PictureFault) {
    guard header.size.count * header.bitDepth / 8 <= 1_032 * file.count else {
      throw PictureFault("it declares \(header.size) pixels, but has only \(file.count) bytes")
    }
  }
}
