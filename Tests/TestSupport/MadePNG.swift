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

  /// The same with opacity, four bytes a pixel.
  public static func rgba(_ width: Int, _ height: Int, _ bytes: [UInt8]) -> [UInt8] {
    file(width, height, 8, colour: 6, bytes, [])
  }

  /// Several channels of 16 bits: grey and opacity (`colour` 4), or red, green and blue (2).
  public static func channels16(
    _ width: Int, _ height: Int, colour: UInt8, _ values: [UInt16]
  ) -> [UInt8] {
    file(width, height, 16, colour: colour, values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }, [])
  }

  /// One channel of 16 bits. Its rows are filtered by the five kinds in turn (9.2).
  ///
  /// - Parameter first: The kind of the first row.
  public static func filtered16(_ width: Int, _ height: Int, _ values: [UInt16], first: Int) -> [UInt8] {
    let (bytes, row) = (values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }, 2 * width)
    let rows = (0..<height).flatMap { y -> [UInt8] in
      let kind = (first + y) % 5
      return [UInt8(kind)]
        + (0..<row).map { x in
          func byte(_ left: Int, _ up: Int) -> Int {
            x >= left && y >= up ? Int(bytes[(y - up) * row + x - left]) : 0
          }
          let (a, b, c) = (byte(2, 0), byte(0, 1), byte(2, 1))
          let paeth = [a, b, c].min { abs(a + b - c - $0) < abs(a + b - c - $1) } ?? 0
          return UInt8(truncatingIfNeeded: byte(0, 0) - [0, a, b, (a + b) / 2, paeth][kind])
        }
    }
    return file(width, height, 16, colour: 0, rows: rows, [])
  }

  /// - Parameter bytes: The rows without their filter bytes.
  private static func file(
    _ width: Int, _ height: Int, _ bits: Int, colour: UInt8, _ bytes: [UInt8], _ chunks: [(String, [UInt8])]
  ) -> [UInt8] {
    let row = bytes.count / height
    let rows = (0..<height).flatMap { [0] + bytes[$0 * row..<($0 + 1) * row] }
    return file(width, height, bits, colour: colour, rows: rows, chunks)
  }

  /// - Parameter rows: With their filter bytes.
  private static func file(
    _ width: Int, _ height: Int, _ bits: Int, colour: UInt8, rows: [UInt8], _ chunks: [(String, [UInt8])]
  ) -> [UInt8] {
    let header = word(width) + word(height) + [UInt8(bits), colour, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
      + chunks.flatMap { chunk($0.0, $0.1) } + chunk("IDAT", stored(rows)) + chunk("IEND", [])
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
