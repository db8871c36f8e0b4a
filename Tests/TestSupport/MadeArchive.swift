/// Archives put together byte by byte, good ones and such as no packer writes.
///
/// - SeeAlso: PKWARE's APPNOTE 6.3, POSIX 1003.1 (pax), RFC 1951.
public enum MadeArchive {
  /// One entry.
  public struct Entry: Sendable {
    var name: String, bytes: [UInt8], mode: Int
    /// Whether a zip has it deflated.
    var isPacked = false

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
      .packed(name, [UInt8](repeating: 0, count: count))
    }
    /// A file that is deflated; zip only.
    public static func packed(_ name: String, _ bytes: [UInt8]) -> Entry {
      Entry(name: name, bytes: bytes, mode: 0o100644, isPacked: true)
    }
  }

  public static func zip(_ entries: [Entry]) -> [UInt8] {
    var (file, directory) = ([UInt8](), [UInt8]())
    for entry in entries {
      let (name, place) = (Array(entry.name.utf8), file.count)
      let data = entry.isPacked ? MadeDeflate.raw(entry.bytes) : entry.bytes
      let common =
        half(20) + half(0x0800) + half(entry.isPacked ? 8 : 0) + word(0) + word(MadeDeflate.crc(entry.bytes))
        + word(data.count) + word(entry.bytes.count) + half(name.count) + half(0)
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

  private static func half(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8 & 255)] }
  private static func word(_ number: Int) -> [UInt8] { half(number & 65_535) + half(number >> 16 & 65_535) }
}
