internal import CFathomSandbox
import Glibc

/// Memory of a reader and who asks it: long answers go through it, which costs less than a socket.
///
/// A reader that a file has taken over may change it at any time. So whoever asks reads every byte once, and judges what was read.
final class SharedMemory: Sendable {
  static let size = 64 << 20
  /// Of answers that go through it.
  static let lengths = 1 << 16...size
  /// One thread of a process uses it at a time: who asks reads it under the lock of its ``ReaderConnection``, and the loop of
  /// ``ReaderService``, which alone writes, is of one thread. Neither does so after the other has got the next message.
  nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

  /// - Parameter descriptor: Of `fathom_reader_memory`; stays the caller's.
  /// - Returns: nil where it is none.
  init?(_ descriptor: Int32) {
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, Int(status.st_size) == Self.size,
      let start = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), start != MAP_FAILED
    else { return nil }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: Self.size)
  }

  deinit { munmap(bytes.baseAddress, bytes.count) }
}
