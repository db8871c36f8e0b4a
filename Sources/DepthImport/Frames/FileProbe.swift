internal import DepthCore
internal import FathomPictureFiles

/// What can be said about a map or picture without decoding its pixels.
struct FileProbe {
  let size: RasterSize
  /// Whether it can hold metric depth: reals, or one channel of 16 bits.
  let holdsDepth: Bool
  /// "8 bits, with colours": what it has instead.
  let form: String

  /// Looks at a map: its header, and whether the file is whole. Of most files only the beginning and the end are read.
  ///
  /// - Parameter raw: The form of files without a header; nil where they have one.
  /// - Throws: `PictureFault`.
  init(mapAt path: String, raw: RawMaps? = nil) throws(PictureFault) {
    if let raw {
      size = try raw.size(of: try FileBytes.read(path))
      holdsDepth = raw.type.width > 1
      form = "\(raw.type.width * 8) bits"
    } else if FileEnding.of(path) == "npy" {
      let ends = try FileBytes.Ends(path)
      let array = try NumpyArray(ends.first, fileSize: ends.fileSize)
      size = array.size
      holdsDepth = !array.type.hasSuffix("1")
      form = "numbers of the type \(array.type)"
    } else if FileEnding.of(path) == "npz" {
      let array = try NumpyArray(try NumpyArchive(try FileBytes.read(path)).map)
      size = array.size
      holdsDepth = !array.type.hasSuffix("1")
      form = "numbers of the type \(array.type)"
    } else if FileEnding.of(path) == "exr" {
      size = try EXRReader.header(try FileBytes.read(path)).size
      holdsDepth = true
      form = "reals"
    } else {
      let header = try Self.wholePNG(path)
      size = header.size
      holdsDepth = header.isGrey && header.bitDepth == 16
      form = "\(header.bitDepth) bits a channel" + (header.isGrey ? "" : ", with colours or opacity")
    }
    guard size.count <= Self.mostMapPixels else {
      throw PictureFault("it has \(size) pixels, and a map has at most \(Self.mostMapPixels)")
    }
  }

  /// An array of an HDF5 file.
  init(_ array: StoredArray) {
    (size, holdsDepth, form) = (array.size, array.bits > 8, array.form)
  }

  private static func wholePNG(_ path: String) throws(PictureFault) -> PNGReader.Header {
    let ends = try FileBytes.Ends(path)
    // "IEND" with its length and sum: what every whole PNG ends with, unless somebody appended something.
    if ends.last.elementsEqual([0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]),
      let header = try? PNGReader.header(ends.first)
    {
      return header
    }
    let bytes = try FileBytes.read(path)
    let header = try PNGReader.header(bytes)
    try PNGReader.requireWhole(bytes)
    return header
  }

  /// Size of a picture, from its beginning.
  ///
  /// - Throws: `PictureFault`.
  static func size(ofPictureAt path: String) throws(PictureFault) -> RasterSize {
    let ends = try FileBytes.Ends(path)
    if let size = try? PictureReader.size(ends.first) { return size }
    return try PictureReader.size(try FileBytes.read(path, limit: beginning))
  }

  /// As `Datasets/SCHEMA.md` says.
  private static let mostMapPixels = 4096 * 4096
  /// A phone's JPEG has its size behind a preview and what the camera says about itself.
  private static let beginning = 1 << 19
}
