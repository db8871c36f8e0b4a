/// PNG files put together byte by byte, so that a reader is tested against the format and not against a writer of its own library.
///
/// - SeeAlso: PNG specification (third edition), 5 and 10; RFC 1950, RFC 1951.
public enum MadePNG {
  /// One channel of 16 bits.
  public static func grey16(_ width: Int, _ height: Int, _ values: [UInt16], chunks: [(String, [UInt8])] = [])
    -> [UInt8]
  {
    file(width, height, 16, colour: 0, values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }, chunks)
  }

  /// One channel of 8 bits.
  public static func grey8(_ width: Int, _ height: Int, _ values: [UInt8], chunks: [(String, [UInt8])] = [])
    -> [UInt8]
  {
    file(width, height, 8, colour: 0, values, chunks)
  }

  /// Red, green and blue of 8 bits, three bytes a pixel.
  public static func rgb(_ width: Int, _ height: Int, _ bytes: [UInt8]) -> [UInt8] {
    file(width, height, 8, colour: 2, bytes, [])
  }

  /// Several channels of 16 bits: grey and opacity (`colour` 4), or red, green and blue (2).
  public static func channels16(
    _ width: Int, _ height: Int, colour: UInt8, _ values: [UInt16]
  ) -> [UInt8] {
    file(width, height, 16, colour: colour, values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }, [])
  }

  /// - Parameter bytes: The rows without their filter bytes.
  private static func file(
    _ width: Int, _ height: Int, _ bits: Int, colour: UInt8, _ bytes: [UInt8], _ chunks: [(String, [UInt8])]
  ) -> [UInt8] {
    let row = bytes.count / height
    let filtered = (0..<height).flatMap { [0] + bytes[$0 * row..<($0 + 1) * row] }
    let header = word(width) + word(height) + [UInt8(bits), colour, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
      + chunks.flatMap { chunk($0.0, $0.1) } + chunk("IDAT", stored(filtered)) + chunk("IEND", [])
  }

  /// A zlib stream of blocks that are not compressed.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let end = min(start + 65_535, bytes.count)
      let length = end - start
      stream += [end == bytes.count ? 1 : 0, UInt8(length & 255), UInt8(length >> 8)]
      stream += [UInt8(~length & 255), UInt8(~length >> 8 & 255)]
      stream += bytes[start..<end]
      start = end
    } while start < bytes.count
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return stream + word(b << 16 | a)
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in body {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return word(data.count) + body + word(Int(~crc))
  }

  private static func word(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 255) } }
}
