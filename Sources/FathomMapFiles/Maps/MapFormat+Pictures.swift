internal import DepthCore
internal import FathomPictureFiles

/// Formats of pictures, as the numbers that they hold.
extension MapFormat {
  static let pfm = {
    var format = MapFormat(
      "PFM", endings: ["pfm"],
      begins: { first in
        // "PF" has colours, which its reader says.
        first.count > 2 && (first.starts(with: Array("Pf".utf8)) || first.starts(with: Array("PF".utf8)))
          && [0x20, 0x09, 0x0A, 0x0D].contains(first[2])
      }
    ) { (path) throws(PictureFault) in
      let bytes = try FileBytes.read(path)
      return MapFile(reals(try PFMReader.size(bytes))) { (_) throws(PictureFault) in
        .reals(try PFMReader.map(bytes))
      }
    }
    format.look = { (ends) throws(PictureFault) in
      reals(try PFMReader.size(ends.first, fileSize: ends.fileSize))
    }
    return format
  }()

  static let pgm = {
    var format = MapFormat(
      "PGM", endings: ["pgm"],
      begins: { first in
        first.starts(with: Array("P5".utf8)) && first.count > 2
          && [0x20, 0x09, 0x0A, 0x0D, 0x23].contains(first[2])
      }
    ) { (path) throws(PictureFault) in
      let bytes = try FileBytes.read(path)
      return MapFile(mapHeader(try PGMReader.header(bytes))) { (_) throws(PictureFault) in
        .counts(try PGMReader.map(bytes))
      }
    }
    format.look = { (ends) throws(PictureFault) in
      mapHeader(try PGMReader.header(ends.first, fileSize: ends.fileSize))
    }
    return format
  }()

  private static func mapHeader(_ header: PGMReader.Header) -> MapHeader {
    MapHeader(size: header.size, bits: header.bits, form: "\(header.bits) bits a pixel", isWhole: true)
  }

  static let exr = {
    var format = MapFormat("EXR", endings: ["exr"], begins: { $0.starts(with: [0x76, 0x2F, 0x31, 0x01]) }) {
      (path, role) throws(PictureFault) in
      let bytes = try FileBytes.read(path), header = try EXRReader.header(bytes)
      var name: String?
      // A map of one channel has any name: Y, R, Z. Blender names its layers: "ViewLayer.Depth.Z".
      if case .beside = role, header.channels.count > 1 {
        name = try MapKeys.key(among: header.channels, for: role)
      } else if header.channels.count > 1, !header.channels.contains("Z") {
        name = try? MapKeys.key(among: header.channels, for: role)
      }
      return MapFile(reals(header.size)) { [name] (_) throws(PictureFault) in
        .reals(try EXRReader.map(bytes, channel: name))
      }
    }
    format.channels = { (bytes) throws(PictureFault) in
      let header = try EXRReader.header(bytes)
      var planes: [[Float]] = []
      for name in header.channels { planes.append(try EXRReader.map(bytes, channel: name).values) }
      return MapChannels(header.size, names: header.channels, planes: planes)
    }
    return format
  }()

  static func reals(_ size: RasterSize) -> MapHeader { MapHeader(size: size, bits: 32, form: "reals") }

  static let tiff = {
    var format = MapFormat(
      "TIFF", endings: ["tiff", "tif"],
      begins: { first in
        // With places of 32 bits, and of 64.
        let isLittle = first.starts(with: Array("II".utf8)) && first.count > 3
        let isBig = first.starts(with: Array("MM".utf8)) && first.count > 3
        return isLittle && (first[2] == 42 || first[2] == 43) && first[3] == 0
          || isBig && first[2] == 0 && (first[3] == 42 || first[3] == 43)
      }
    ) { (path) throws(PictureFault) in
      let bytes = try FileBytes.read(path), header = try TIFFReader.header(bytes)
      let form = header.isReal ? "reals of \(header.bits) bits" : "\(header.bits) bits a pixel"
      return MapFile(MapHeader(size: header.size, bits: header.bits, form: form, isWhole: !header.isReal)) {
        (_) throws(PictureFault) in
        let map = try TIFFReader.map(bytes)
        guard !header.isReal, !header.isSigned, header.bits <= 16 else { return .reals(map) }
        return .counts(Raster(width: map.width, height: map.height, values: map.values.map { UInt16($0) }))
      }
    }
    format.channels = { (file) throws(PictureFault) in
      let (size, count, values) = try TIFFReader.channels(file)
      return MapChannels(size, count: count, values) { Double($0) }
    }
    return format
  }()

  static let png = {
    var format = MapFormat(
      "PNG", endings: ["png"],
      begins: { $0.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) }
    ) { (path) throws(PictureFault) in
      let bytes = try FileBytes.read(path), header = try PNGReader.header(bytes)
      return MapFile(mapHeader(header)) { (_) throws(PictureFault) in
        .counts(header.isGrey || header.bitDepth == 16 ? try PNGReader.grey(bytes) : try equalChannels(bytes))
      }
    }
    format.look = { (ends) throws(PictureFault) in mapHeader(try wholePNG(ends)) }
    format.channels = { (file) throws(PictureFault) in
      let (header, values) = try PNGReader.channels(file)
      guard header.channelCount > 1 else {
        let counts = Raster(width: header.size.width, height: header.size.height, values: values)
        var channels = MapChannels(.counts(counts))
        channels.own = try PNGReader.numbers(file)
        return channels
      }
      return MapChannels(header.size, count: header.channelCount, values) { Double($0) }
    }
    return format
  }()

  private static func mapHeader(_ header: PNGReader.Header) -> MapHeader {
    MapHeader(
      size: header.size, bits: header.bitDepth,
      form: "\(header.bitDepth) bits a channel" + (header.isGrey ? "" : ", with colours or opacity"),
      // Whether channels of 16 bits are equal, only the pixels tell.
      hasColours: !header.isGrey && header.bitDepth < 16, isWhole: true)
  }

  private static func wholePNG(_ ends: FileBytes.Ends) throws(PictureFault) -> PNGReader.Header {
    // "IEND" with its length and sum: what every whole PNG ends with, unless somebody appended something.
    if ends.last.elementsEqual([0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]),
      let header = try? PNGReader.header(ends.first)
    {
      return header
    }
    let bytes = try FileBytes.read(ends.path), header = try PNGReader.header(bytes)
    try PNGReader.requireWhole(bytes)
    return header
  }

  /// Grey in three equal channels is what Depth Anything writes with --grayscale.
  private static func equalChannels(_ bytes: [UInt8]) throws(PictureFault) -> Raster<UInt16> {
    let picture = try PNGReader.colour(bytes)
    guard picture.values.allSatisfy({ $0.red == $0.green && $0.green == $0.blue })
    else { throw PNGReader.colourMap }
    return Raster(
      width: picture.width, height: picture.height, values: picture.values.map { UInt16($0.red) })
  }
}
