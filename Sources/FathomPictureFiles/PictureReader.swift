public import DepthCore

/// Pictures of any format that is read, told apart by their first bytes and not by their names.
public enum PictureReader {
  /// - Throws: `PictureFault` where it is neither PNG nor JPEG, is damaged, cut short or too large.
  public static func picture(_ file: [UInt8]) throws(PictureFault) -> Raster<RGB> {
    switch try PictureFormat(file) {
    case .png: try PNGReader.colour(file)
    case .jpeg: try JPEGReader().picture(file)
    }
  }

  /// Size of a picture, of which the beginning is enough.
  ///
  /// - Throws: `PictureFault` where it is neither PNG nor JPEG, or its size cannot be read.
  public static func size(_ file: [UInt8]) throws(PictureFault) -> RasterSize {
    switch try PictureFormat(file) {
    case .png: try PNGReader.header(file).size
    case .jpeg: try JPEGReader().size(file)
    }
  }
}

/// Formats of pictures that are read.
public enum PictureFormat: Sendable, Hashable {
  case png, jpeg

  /// - Throws: `PictureFault` where it is neither.
  public init(_ file: [UInt8]) throws(PictureFault) {
    if file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if file.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if file.isEmpty {
      throw PictureFault("it is empty")
    } else {
      throw PictureFault("it is neither PNG nor JPEG")
    }
  }
}
