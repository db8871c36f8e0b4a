private import CFathomZlib

/// The bytes of a tar file, which may be packed with gzip. zlib compares them with the length and the checksum that gzip stores;
/// libarchive's own unpacking does not.
final class TarBytes {
  private let file: gzFile
  private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
  /// Of the file, and how much may come of it.
  private let size: Int, bounds: ArchiveBounds
  private var total = 0
  /// Why reading ended before its time.
  private(set) var problem: String?

  /// - Returns: nil where it cannot be opened, or memory is short.
  init?(_ path: String, size: Int, bounds: ArchiveBounds) {
    guard let opened = gzopen(path, "rbe") else { return nil }
    (file, self.size, self.bounds) = (opened, size, bounds)
    gzbuffer(opened, 1 << 17)
  }

  deinit {
    gzclose(file)
    room.deallocate()
  }

  /// The next bytes, which stay until it is called again; none at the end; nil where there is a ``problem``.
  func next() -> UnsafeRawBufferPointer? {
    guard problem == nil else { return nil }
    let count = Int(gzread(file, room.baseAddress, UInt32(room.count)))
    if count > 0 {
      total += count
      if total > bounds.most(from: size) { problem = bounds.excess(from: size) }
    } else {
      var number: Int32 = 0
      let words = gzerror(file, &number).map { String(cString: $0) } ?? ""
      // What is cut short ends like a whole file, and only says so when it is asked.
      if count < 0 || number < 0 { problem = number == Z_BUF_ERROR ? "it is cut short" : words }
    }
    return problem == nil ? UnsafeRawBufferPointer(rebasing: room[..<count]) : nil
  }
}
