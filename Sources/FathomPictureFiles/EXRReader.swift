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

  /// - Throws: `PictureFault` where it is no EXR, declares more than ``PNGReader/mostPixels``, or several depths a pixel.
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
  /// - Parameter channel: Its name; nil for the only one, or for "Z", which is depth wherever there are several.
  /// - Throws: `PictureFault` where the channel does not exist or must be named, or the file is damaged or cut short.
  public static func map(_ file: [UInt8], channel: String? = nil) throws(PictureFault) -> Raster<Float> {
    let header = try header(file)
    let listed = header.channels.joined(separator: ", ")
    guard
      let name = channel
        ?? (header.channels.count == 1 ? header.channels[0] : header.channels.first { $0 == "Z" })
    else { throw PictureFault("it has the channels \(listed), and none of them is the only one or 'Z'") }
    guard header.channels.contains(name) else {
      throw PictureFault("it has no channel '\(name)', but \(listed)")
    }
    let size = header.size
    var values = [Float](repeating: 0, count: size.count)
    try PictureFault.attempt {
      fathom_exr_read_channel(
        file, file.count, Int64(PNGReader.mostPixels), name, Int64(size.width), Int64(size.height), &values,
        $0, $1)
    }
    return Raster(width: size.width, height: size.height, values: values)
  }
}
