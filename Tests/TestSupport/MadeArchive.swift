/// Archives put together byte by byte, good ones and such as no packer writes.
///
/// - SeeAlso: PKWARE's APPNOTE 6.3, POSIX 1003.1 (pax), RFC 1951.
public enum MadeArchive {
  /// One entry.
  public struct Entry: Sendable {
    var name: String, bytes: [UInt8], mode: Int
    /// How many zeros it holds, packed, in the place of `bytes`.
    var zeros = 0

    public static func file(_ name: String, _ bytes: [UInt8]) -> Entry {
      Entry(name: name, bytes: bytes, mode: 0o100644)
    }
    public static func folder(_ name: String) -> Entry { Entry(name: name + "/", bytes: [], mode: 0o040755) }
    /// A symbolic link.
    public static func link(_ name: String, to target: String) -> Entry {
      Entry(name: name, bytes: Array(target.utf8), mode: 0o120777)
    }
    /// A file of zeros, about 160 times as large as what it is packed in; zip only.
    public static func zeros(_ name: String, _ count: Int) -> Entry {
      Entry(name: name, bytes: [], mode: 0o100644, zeros: count)
    }
  }

  public static func zip(_ entries: [Entry]) -> [UInt8] {
    var (file, directory) = ([UInt8](), [UInt8]())
    for entry in entries {
      let (name, place) = (Array(entry.name.utf8), file.count)
      let isPacked = entry.zeros > 0
      let data = isPacked ? packedZeros(entry.zeros) : entry.bytes
      let plain = isPacked ? [UInt8](repeating: 0, count: entry.zeros) : entry.bytes
      let common =
        half(20) + half(0x0800) + half(isPacked ? 8 : 0) + word(0) + word(crc(plain)) + word(data.count)
        + word(plain.count) + half(name.count) + half(0)
      file += word(0x0403_4B50) + common + name + data
      directory += word(0x0201_4B50) + half(0x0314) + common + half(0) + half(0) + half(0)
      directory += word(entry.mode << 16) + word(place) + name
    }
    let end = half(0) + half(0) + half(entries.count) + half(entries.count)
    return file + directory + word(0x0605_4B50) + end + word(directory.count) + word(file.count) + half(0)
  }

  public static func tar(_ entries: [Entry]) -> [UInt8] {
    var file: [UInt8] = []
    for entry in entries {
      func field(_ text: String, _ size: Int) -> [UInt8] {
        Array(text.utf8) + [UInt8](repeating: 0, count: size - text.utf8.count)
      }
      func octal(_ number: Int, _ size: Int) -> [UInt8] {
        let digits = String(number, radix: 8)
        return field(String(repeating: "0", count: size - 1 - digits.utf8.count) + digits, size)
      }
      let kind = entry.mode >> 12
      let isLink = kind == 0o12
      let type = isLink ? "2" : kind == 0o04 ? "5" : "0"
      let data = isLink ? [] : entry.bytes
      var header = field(entry.name, 100) + octal(entry.mode & 0o777, 8) + octal(0, 8) + octal(0, 8)
      header += octal(data.count, 12) + octal(0, 12) + field("        ", 8) + field(type, 1)
      header += field(isLink ? String(decoding: entry.bytes, as: UTF8.self) : "", 100)
      header += field("ustar", 6) + field("00", 2)
      header += [UInt8](repeating: 0, count: 512 - header.count)
      header.replaceSubrange(148..<156, with: octal(header.reduce(0) { $0 + Int($1) }, 7) + [32])
      file += header + data + [UInt8](repeating: 0, count: (512 - data.count % 512) % 512)
    }
    return file + [UInt8](repeating: 0, count: 1024)
  }

  /// A block of RFC 1951 with its own codes: a zero, then 258 more again and again.
  private static func packedZeros(_ count: Int) -> [UInt8] {
    var (bits, out): ([Int], [UInt8]) = ([1, 1, 0], [])
    func code(_ value: Int, _ length: Int) {
      for bit in (0..<length).reversed() { bits.append(value >> bit & 1) }
    }
    for _ in 0..<(count % 258 == 0 ? 258 : count % 258) { code(0b0011_0000, 8) }
    for _ in 0..<((count - 1) / 258) {
      code(0b1100_0101, 8)
      code(0, 5)
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

  private static func crc(_ bytes: [UInt8]) -> Int {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return Int(~crc)
  }

  private static func half(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8 & 255)] }
  private static func word(_ number: Int) -> [UInt8] { half(number & 65_535) + half(number >> 16 & 65_535) }
}
