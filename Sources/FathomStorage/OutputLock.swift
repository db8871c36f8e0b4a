private import Glibc

/// The lock of a file that is being written: held until this value is dropped or the process ends, however it ends.
///
/// It belongs to an open file and not to a process number, so it cannot outlive its owner or be taken for another's.
struct OutputLock: ~Copyable, Sendable {
  /// Marks a folder as one that Fathom is writing, or gave up, and is locked by who is.
  static let fileName = ".fathom-writer"
  let descriptor: Int32

  enum Refusal: Error {
    case isHeld  // Another process, or another part of this one, holds it.
    case isForeign  // Something is there that Fathom did not write.
    case system(Int32)  // The system's error.
  }

  /// Opens or creates a file and locks it.
  /// - Parameter isMarked: Whether the file is the output itself: it is created with the mark of unfinished files, and one without
  ///   the mark is somebody else's.
  init(_ path: String, isMarked: Bool = false) throws(Refusal) {
    // The former owner may remove or rename the file between our opening and our locking it: then what we hold is
    // stale, and the next one is tried.
    for _ in 0..<100 {
      guard let opened = try isMarked ? Self.marked(path) : Self.plain(path) else { continue }
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

  private static func plain(_ path: String) throws(Refusal) -> Int32 {
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, UnfinishedMark.mode)
    guard opened >= 0 else { throw .system(errno) }
    return opened
  }

  /// - Returns: nil where somebody made or removed the file between two looks at it.
  private static func marked(_ path: String) throws(Refusal) -> Int32? {
    let created = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, UnfinishedMark.mode)
    if created >= 0 { return created }
    guard errno == EEXIST else { throw .system(errno) }
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    guard UnfinishedMark.isOn(status) else { throw .isForeign }
    let opened = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard opened >= 0 else {
      if errno == ENOENT { return nil }
      throw .system(errno)
    }
    // It may have been finished, or replaced, meanwhile.
    guard fstat(opened, &status) == 0, UnfinishedMark.isOn(status) else {
      close(opened)
      return nil
    }
    return opened
  }

  deinit {
    // By name: closing alone would not do while a process, started meanwhile, has inherited the descriptor.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
