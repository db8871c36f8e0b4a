/// Small TIFF files of one strip.
public enum MadeTIFF {
  /// - Parameters:
  ///   - format: 1 whole numbers, 2 with a sign, 3 reals.
  ///   - isPacked: Whether the strip is deflated.
  ///   - pixels: The strip's bytes, little-endian.
  public static func file(
    _ width: Int, _ height: Int, bits: Int, format: Int, samples: Int = 1, isPacked: Bool = false,
    _ pixels: [UInt8]
  ) -> [UInt8] {
    let pixels = isPacked ? MadeDeflate.zlib(pixels) : pixels
    let tags: [(Int, Int, Int)] = [
      (256, 4, width), (257, 4, height), (258, 3, bits), (259, 3, isPacked ? 8 : 1),
      (262, 3, samples == 1 ? 1 : 2),
      (273, 4, 8),
      (277, 3, samples), (278, 4, height), (279, 4, pixels.count), (339, 3, format),
    ]
    var file = Array("II".utf8) + [42, 0] + little(8 + pixels.count, 4) + pixels + little(tags.count, 2)
    for (tag, type, value) in tags {
      file += little(tag, 2) + little(type, 2) + little(1, 4) + little(value, 4)
    }
    return file + little(0, 4)
  }

  /// Of floats.
  public static func floats(_ width: Int, _ height: Int, _ values: [Float]) -> [UInt8] {
    file(width, height, bits: 32, format: 3, values.flatMap { little(Int($0.bitPattern), 4) })
  }

  private static func little(_ number: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(number >> ($0 * 8) & 255) }
  }
}
