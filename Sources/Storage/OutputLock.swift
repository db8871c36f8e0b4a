private import Glibc

/// The lock of a file that is being written: held until this value is dropped or the process ends, however it ends.
///
/// It belongs to an open file and not to a process number, so it cannot outlive its owner or be taken for another's.
struct OutputLock: ~Copyable, Sendable {
  /// Marks a folder as one that Fathom is writing, or gave up, and is locked by who is.
  static let fileName = ".fathom-writer"

  let descriptor: Int32

  enum Refusal: Error {
    /// Another process, or another part of this one, holds it.
    case isHeld
    /// The system's error.
    case system(Int32)
  }

  /// Opens or creates a file and locks it.
  ///
  /// - Throws: `Refusal`.
  init(_ path: String) throws(Refusal) {
    // The former owner may remove or rename the file between our opening and our locking it: then what we hold is
    // nobody's, and the next one is tried.
    for _ in 0..<100 {
      let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
      guard opened >= 0 else { throw .system(errno) }
      guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
        let reason = errno
        close(opened)
        throw reason == EWOULDBLOCK ? .isHeld : .system(reason)
      }
      var (held, named) = (stat(), stat())
      if fstat(opened, &held) == 0, stat(path, &named) == 0, held.st_dev == named.st_dev,
        held.st_ino == named.st_ino
      {
        descriptor = opened
        return
      }
      close(opened)
    }
    throw .isHeld
  }

  deinit {
    // By name: closing alone would not do while a process, started meanwhile, has inherited the descriptor.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
