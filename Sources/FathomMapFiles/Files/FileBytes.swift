private import Glibc
package import FathomPictureFiles
internal import FathomPlainText

/// All bytes of a file, or its beginning.
package enum FileBytes {
  /// Larger ones are neither maps nor pictures.
  private static let most = 1 << 28

  /// - Parameter limit: Most bytes that are read; nil for all.
  /// - Throws: `PictureFault` where it cannot be read, or has more than 256 MiB.
  package static func read(_ path: String, limit: Int? = nil) throws(PictureFault) -> [UInt8] {
    let (descriptor, fileSize) = try opened(path)
    defer { close(descriptor) }
    try requireReadable(fileSize)
    return try read(descriptor, min(fileSize, limit ?? .max))
  }

  /// A part of a file of any length.
  /// - Throws: `PictureFault` where it cannot be read, has more than 256 MiB, or the file ends before.
  static func read(_ path: String, _ range: Range<Int>) throws(PictureFault) -> [UInt8] {
    let (descriptor, _) = try opened(path)
    defer { close(descriptor) }
    try requireReadable(range.count)
    guard lseek(descriptor, off_t(range.lowerBound), SEEK_SET) >= 0 else { throw PictureFault(.last) }
    return try read(descriptor, range.count)
  }

  /// The beginning and the end of a file, which tell whether it is whole.
  package struct Ends: Sendable {
    /// At most 4096 bytes.
    package let first: [UInt8]
    /// At most 12 bytes.
    let last: [UInt8]
    package let fileSize: Int, path: String

    package init(_ path: String) throws(PictureFault) {
      let descriptor: Int32
      (descriptor, fileSize) = try opened(path)
      self.path = path
      defer { close(descriptor) }
      first = try read(descriptor, min(fileSize, 4096))
      guard lseek(descriptor, off_t(max(0, fileSize - 12)), SEEK_SET) >= 0 else { throw PictureFault(.last) }
      last = try read(descriptor, min(fileSize, 12))
    }
  }

  /// - Throws: `PictureFault` where a file of so many bytes is not read at once.
  static func requireReadable(_ fileSize: Int) throws(PictureFault) {
    guard fileSize <= most else { throw PictureFault("it has more than \(most >> 20) MiB") }
  }

  private static func opened(_ path: String) throws(PictureFault) -> (descriptor: Int32, size: Int) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw PictureFault(.last) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw PictureFault("it is not a regular file")
    }
    return (descriptor, Int(status.st_size))
  }

  private static func read(_ descriptor: Int32, _ size: Int) throws(PictureFault) -> [UInt8] {
    var failed: PictureFault?
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = 0
      while count < size {
        let step = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if step < 0 && errno == EINTR { continue }
        guard step > 0 else {
          failed = step < 0 ? PictureFault(.last) : PictureFault("it became shorter while it was read")
          return
        }
        count += step
      }
    }
    if let failed { throw failed }
    return bytes
  }

  /// A text; nil for other bytes than UTF-8.
  package static func text(_ path: String) throws(PictureFault) -> String {
    guard let text = String(validating: try read(path), as: UTF8.self)
    else { throw PictureFault("it is not UTF-8 text") }
    return text
  }
}
