private import Glibc
internal import PictureFiles
internal import PlainText

/// All bytes of a file, or its beginning.
enum FileBytes {
  /// Larger ones are no map and no picture.
  private static let most = 1 << 28

  /// - Parameter limit: Most bytes that are read; nil for all.
  /// - Throws: `PictureFault` where it cannot be read, or has more than 256 MiB.
  static func read(_ path: String, limit: Int? = nil) throws(PictureFault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw PictureFault(SystemReason.words()) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw PictureFault("it is no ordinary file")
    }
    guard Int(status.st_size) <= most else { throw PictureFault("it has more than \(most >> 20) MiB") }
    let size = min(Int(status.st_size), limit ?? .max)
    var failed: String?
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = 0
      while count < size {
        let step = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if step < 0 && errno == EINTR { continue }
        guard step > 0 else {
          failed = step < 0 ? SystemReason.words() : "it became shorter while it was read"
          return
        }
        count += step
      }
    }
    if let failed { throw PictureFault(failed) }
    return bytes
  }

  /// A text; nil for other bytes than UTF-8.
  static func text(_ path: String) throws(PictureFault) -> String {
    guard let text = String(validating: try read(path), as: UTF8.self) else {
      throw PictureFault("it is not UTF-8 text")
    }
    return text
  }
}
