internal import CFathomPNG
public import DepthCore

/// PNG files, written by libpng.
public enum PNG {
  /// A picture as a PNG file: RGBA, 8 bits a channel, sRGB.
  ///
  /// PNG, too, holds channels that are not multiplied by the opacity: every channel of every pixel reaches the file.
  /// - Throws: `GraphicsError` where the picture has no pixels or is too large, or memory is short.
  public static func encode(_ picture: Raster<RGBA>) throws(GraphicsError) -> [UInt8] {
    try encode(picture, PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
  }

  /// Without opacity: RGB, 8 bits a channel.
  public static func encode(_ picture: Raster<RGB>) throws(GraphicsError) -> [UInt8] {
    try encode(picture, PNG_FORMAT_FLAG_COLOR)
  }

  /// Numbers of 16 bits in one channel, as they are.
  public static func encode(_ numbers: Raster<UInt16>) throws(GraphicsError) -> [UInt8] {
    try encode(numbers, PNG_FORMAT_FLAG_LINEAR)
  }

  /// Numbers of 8 bits in one channel, as they are.
  public static func encode(_ numbers: Raster<UInt8>) throws(GraphicsError) -> [UInt8] {
    try encode(numbers, 0)
  }

  private static func encode<Pixel>(
    _ picture: Raster<Pixel>, _ format: some BinaryInteger
  ) throws(GraphicsError) -> [UInt8] {
    let operation = "write a picture of \(picture.size) as PNG"
    guard picture.width > 0, picture.height > 0 else {
      throw GraphicsError(operation: operation, reason: "it has no pixels")
    }
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    (image.width, image.height) = (png_uint_32(picture.width), png_uint_32(picture.height))
    image.format = png_uint_32(format)
    defer { png_image_free(&image) }
    let most = png_image_most_bytes(image)
    var isWritten = false
    let file = [UInt8](unsafeUninitializedCapacity: most) { file, count in
      var size = most
      isWritten =
        picture.values.withUnsafeBytes { pixels in
          png_image_write_to_memory(&image, file.baseAddress, &size, 0, pixels.baseAddress, 0, nil)
        } != 0
      count = isWritten ? size : 0
    }
    guard isWritten else { throw GraphicsError(operation: operation, reason: reason(image)) }
    return file
  }

  private static func reason(_ image: png_image) -> String {
    let message = withUnsafeBytes(of: image.message) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return message.isEmpty ? "no reason is known" : message
  }
}
