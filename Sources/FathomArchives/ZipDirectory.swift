private import Glibc

/// What the end of a zip file says of its list of entries, before anything is made of that list.
/// - SeeAlso: PKWARE's APPNOTE 6.3, 4.3.14 to 4.3.16.
enum ZipDirectory {
  /// Whether a file begins as zip files do.
  static func isZip(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return bytes(descriptor, from: 0, to: 2) == Array("PK".utf8)
  }

  /// How many entries a zip file says that it holds; nil for any other file, or where it says nothing.
  ///
  /// It may say something false, so that entries are counted, too, as they come.
  static func entryCount(of path: String) -> Int? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    guard bytes(descriptor, from: 0, to: 2) == Array("PK".utf8) else { return nil }
    // The end has 22 bytes and a comment; before it stands where the end of a large list is, in 20 bytes.
    let tail = bytes(descriptor, from: max(0, size - 22 - 65_535 - 20), to: size)
    guard
      let end = tail.indices.dropLast(21).last(where: { number(tail, $0, 4) == 0x0605_4B50 })
    else { return nil }
    let count = number(tail, end + 10, 2)
    guard count == 0xFFFF, end >= 20, number(tail, end - 20, 4) == 0x0706_4B50 else { return count }
    let place = number(tail, end - 12, 8)
    guard place >= 0, place <= size - 40 else { return count }
    let large = bytes(descriptor, from: place, to: place + 40)
    guard large.count == 40, number(large, 0, 4) == 0x0606_4B50 else { return count }
    let declared = number(large, 32, 8)
    return declared < 0 ? .max : declared
  }

  private static func bytes(_ descriptor: Int32, from start: Int, to end: Int) -> [UInt8] {
    guard end > start else { return [] }
    return [UInt8](unsafeUninitializedCapacity: end - start) { room, count in
      count = max(0, pread(descriptor, room.baseAddress, end - start, start))
    }
  }

  /// A little-endian number of at most 8 bytes.
  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
    bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
