internal import DepthCore
internal import PictureFiles

/// What can be said about a map or picture without decoding its pixels.
struct FileProbe {
  let size: RasterSize
  /// Whether it can hold metric depth: reals, or one channel of 16 bits.
  let holdsDepth: Bool
  /// "8 bits, with colours": what it has instead.
  let form: String

  /// Looks at a map: its header, and whether the file is whole.
  ///
  /// - Throws: `PictureFault`.
  init(mapAt path: String) throws(PictureFault) {
    let bytes = try FileBytes.read(path)
    if path.hasSuffix(".npy") {
      let array = try NumpyArray(bytes)
      size = array.size
      holdsDepth = !array.type.hasSuffix("1")
      form = "numbers of the type \(array.type)"
    } else {
      let header = try PNGReader.header(bytes)
      try PNGReader.requireWhole(bytes)
      size = header.size
      holdsDepth = header.isGrey && header.bitDepth == 16
      form = "\(header.bitDepth) bits a channel" + (header.isGrey ? "" : ", with colours or opacity")
    }
    guard size.count <= Self.mostMapPixels else {
      throw PictureFault("it has \(size) pixels, and a map has at most \(Self.mostMapPixels)")
    }
  }

  /// Size of a picture, from its beginning.
  ///
  /// - Throws: `PictureFault`.
  static func size(ofPictureAt path: String) throws(PictureFault) -> RasterSize {
    try PictureReader.size(try FileBytes.read(path, limit: beginning))
  }

  /// As `Datasets/SCHEMA.md` says.
  private static let mostMapPixels = 4096 * 4096
  /// A phone's JPEG has its size behind a preview and what the camera says about itself.
  private static let beginning = 1 << 19
}
