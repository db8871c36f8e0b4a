internal import CFathomPNG
public import DepthCore

/// What a PNG file holds.
public struct PNGFile {
  public let size: RasterSize
  /// Red, green, blue and opacity of each pixel, row by row; channels are not multiplied by the opacity.
  public let bytes: [UInt8]

  /// A file that libpng does not read.
  public struct Unreadable: Error {}

  public init(_ file: [UInt8]) throws {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    var pixels: [UInt8] = []
    let isRead = file.withUnsafeBytes { file in
      guard png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0 else { return false }
      image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
      pixels = [UInt8](repeating: 0, count: 4 * Int(image.width) * Int(image.height))
      return png_image_finish_read(&image, nil, &pixels, 0, nil) != 0
    }
    guard isRead else { throw Unreadable() }
    (size, bytes) = (RasterSize(width: Int(image.width), height: Int(image.height)), pixels)
  }

  /// Of the pixel at an index, row by row.
  public func pixel(_ index: Int) -> [UInt8] { Array(bytes[4 * index..<4 * index + 4]) }
}
