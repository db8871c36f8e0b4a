internal import CFathomPictures
public import DepthCore

/// EXR files as the numbers that they hold: one channel of the first part, half, float or whole numbers; scan lines or tiles.
public enum EXRReader {
  /// What a file declares.
  public struct Header: Sendable, Hashable {
    public let size: RasterSize
    /// Names of the channels, in the order of the file.
    public let channels: [String]
    /// Whether each has 16 bits: 1 mm at 1 to 2 m, 4 mm at 4 to 8 m.
    public let areHalf: [Bool]
  }

  /// - Throws: `PictureFault` where it is not an EXR, declares more than ``PNGReader/mostPixels``, or several depths a pixel.
  public static func header(_ file: [UInt8]) throws(PictureFault) -> Header {
    var header = fathom_exr_header()
    var names = [CChar](repeating: 0, count: Int(FATHOM_EXR_MOST_CHANNELS * FATHOM_EXR_NAME_BYTES))
    try PictureFault.attempt {
      fathom_exr_read_header(file, file.count, Int64(PNGReader.mostPixels), &header, &names, $0, $1)
    }
    let channels = (0..<Int(header.channel_count)).map { index in
      let name = names[(index * Int(FATHOM_EXR_NAME_BYTES))...].prefix { $0 != 0 }
      return String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return Header(
      size: RasterSize(width: Int(header.width), height: Int(header.height)), channels: channels,
      areHalf: channels.indices.map { header.is_half >> $0 & 1 == 1 })
  }

  /// The numbers of a channel, in whatever unit the file has them; infinities and NaN stay.
  ///
  /// - Parameter channel: Its name; nil for "Z", which is depth wherever there are several, or for the only one beside opacity. Several
  ///   whose numbers are equal are one.
  /// - Throws: `PictureFault` where the channel does not exist or must be named, or the file is damaged or cut short.
  public static func map(_ file: [UInt8], channel: String? = nil) throws(PictureFault) -> Raster<Float> {
    let header = try header(file)
    let listed = header.channels.joined(separator: ", ")
    if let channel {
      guard header.channels.contains(channel) else {
        throw PictureFault("it has no channel '\(channel)', but \(listed)")
      }
      return try numbers(file, of: channel, header.size)
    }
    if header.channels.contains("Z") { return try numbers(file, of: "Z", header.size) }
    let opaque = header.channels.filter { $0 != "A" }
    let names = opaque.isEmpty ? header.channels : opaque
    let map = try numbers(file, of: names[0], header.size)
    for name in names.dropFirst() {
      let other = try numbers(file, of: name, header.size)
      guard zip(map.values, other.values).allSatisfy({ $0.bitPattern == $1.bitPattern }) else {
        throw PictureFault("it has the channels \(listed), which differ, and none of them is 'Z'")
      }
    }
    return map
  }

  private static func numbers(
    _ file: [UInt8], of name: String, _ size: RasterSize
  ) throws(PictureFault) -> Raster<Float> {
    var values = [Float](repeating: 0, count: size.count)
    try PictureFault.attempt {
      fathom_exr_read_channel(
        file, file.count, Int64(PNGReader.mostPixels), name, Int64(size.width), Int64(size.height), &values,
        $0, $1)
    }
    return Raster(width: size.width, height: size.height, values: values)
  }
}
