/// Streams of RFC 1951 put together bit by bit, and what zlib and gzip put around them. A reader that unpacks them without looking at the
/// checksum notices no changed byte: most bits stand for a letter, or are one.
public enum MadeDeflate {
  /// One block with fixed codes: letters, and runs of 258 equal bytes.
  public static func raw(_ bytes: [UInt8]) -> [UInt8] {
    var (bits, out): ([Int], [UInt8]) = ([1, 1, 0], [])
    func code(_ value: Int, _ length: Int) {
      for bit in (0..<length).reversed() { bits.append(value >> bit & 1) }
    }
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      let end = place + 258
      if place > 0, end <= bytes.count, bytes[place - 1..<end].allSatisfy({ $0 == byte }) {
        code(0b1100_0101, 8)
        code(0, 5)
        place = end
        continue
      }
      if byte < 144 { code(0b0011_0000 + Int(byte), 8) } else { code(0b1_1001_0000 + Int(byte) - 144, 9) }
      place += 1
    }
    code(0, 7)
    for start in stride(from: 0, to: bits.count, by: 8) {
      out.append(
        bits[start..<min(start + 8, bits.count)].enumerated().reduce(0) {
          $0 | UInt8($1.element << $1.offset)
        })
    }
    return out
  }

  /// RFC 1950.
  public static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return [0x78, 0x01] + raw(bytes) + [b >> 8, b, a >> 8, a].map { UInt8($0 & 255) }
  }

  /// RFC 1952, without a name.
  public static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + raw(bytes) + word(crc(bytes)) + word(bytes.count)
  }

  /// CRC-32 of zip, gzip and PNG.
  public static func crc(_ bytes: [UInt8]) -> Int {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return Int(~crc)
  }

  private static func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> ($0 * 8) & 255) } }
}
