private import Glibc
private import FathomPlainText

/// A nameless file for what does not fit into memory: gone with its owner, also where the process is killed.
public struct TemporaryFile: ~Copyable, Sendable {
  private let descriptor: Int32, folder: String

  /// Creates it in the folder that `TMPDIR` names, else in /tmp.
  /// - Throws: `FathomError` `.cannotCreate`.
  public init() throws(FathomError) {
    let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    try self.init(in: named.isEmpty ? "/tmp" : named)
  }

  /// - Throws: `FathomError` `.cannotCreate`.
  package init(in folder: String) throws(FathomError) {
    var name = Array((folder + "/fathom-XXXXXX").utf8CString)
    let opened = mkstemp(&name)
    guard opened >= 0 else {
      throw .cannotCreate(
        "a temporary file in \(folder)", SystemFault.last.words, "name another folder in the variable TMPDIR")
    }
    // Without a name nothing is left behind, however the process ends.
    unlink(name)
    _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
    (descriptor, self.folder) = (opened, folder)
  }

  /// A file that exists, to be written over: a device in a test.
  /// - Throws: `FathomError` `.cannotCreate`.
  package init(opening path: String) throws(FathomError) {
    let opened = open(path, O_RDWR | O_CLOEXEC)
    guard opened >= 0 else { throw .cannotCreate(path, SystemFault.last.words, "name another file") }
    (descriptor, folder) = (opened, path)
  }

  /// Writes bytes at a place, counted from the beginning.
  /// - Throws: `FathomError` `.noRoom` where the disk is full, `.inputOutput`.
  public func write(_ bytes: borrowing [UInt8], at offset: Int) throws(FathomError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(offset + done))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        throw .inputOutput(
          "a temporary file in \(folder)", .last,
          "free some space, or name another folder in the variable TMPDIR")
      }
      done += count
    }
  }

  /// Reads bytes that were written.
  /// - Throws: `FathomError` `.inputOutput` where the disk gives them back no more.
  public func read(_ count: Int, at offset: Int) throws(FathomError) -> [UInt8] {
    var fault: String?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = 0
      while done < count {
        let read = pread(descriptor, buffer.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
        if read < 0 && errno == EINTR { continue }
        guard read > 0 else {
          fault = read < 0 ? SystemFault.last.words : "it has become shorter"
          return
        }
        done += read
      }
    }
    if let fault {
      throw FathomError(
        .inputOutput, attempted: "read", place: "a temporary file in \(folder)", reason: fault,
        advice: "check the disk, or name another folder in the variable TMPDIR")
    }
    return bytes
  }

  deinit { close(descriptor) }
}
