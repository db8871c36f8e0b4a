public import DepthCore

/// Pictures of any format that is read, told apart by their first bytes and not by their names.
public enum PictureReader {
  /// - Throws: `PictureFault` where it is not PNG, JPEG or TIFF, is damaged, cut short or too large.
  public static func picture(_ file: [UInt8]) throws(PictureFault) -> Raster<RGB> {
    switch try PictureFormat(file) {
    case .png: try PNGReader.colour(file)
    case .jpeg: try JPEGReader().picture(file)
    case .tiff: try TIFFReader.colour(file)
    }
  }

  /// Size of a picture. The beginning of its file is enough, but for a TIFF, whose header may stand at its end.
  ///
  /// - Throws: `PictureFault` where it is not PNG, JPEG or TIFF, or its size cannot be read.
  public static func size(_ file: [UInt8]) throws(PictureFault) -> RasterSize {
    switch try PictureFormat(file) {
    case .png: try PNGReader.header(file).size
    case .jpeg: try JPEGReader().size(file)
    case .tiff: try TIFFReader.size(ofPicture: file)
    }
  }
}

/// Formats of pictures that are read.
public enum PictureFormat: Sendable, Hashable {
  case png, jpeg, tiff

  /// - Throws: `PictureFault` where it is not one of them.
  public init(_ file: [UInt8]) throws(PictureFault) {
    if file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if file.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if [[0x49, 0x49, 42, 0], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 42], [0x4D, 0x4D, 0, 43]]
      .contains(where: { file.starts(with: $0) })
    {
      self = .tiff
    } else if file.isEmpty {
      throw PictureFault("it is empty")
    } else {
      throw PictureFault("it is not PNG, JPEG or TIFF")
    }
  }
}
