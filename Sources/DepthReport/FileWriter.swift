private import Glibc

/// An open file that bytes are added to; closed with its owner.
public struct FileWriter: ~Copyable {
  private let descriptor: Int32
  private let name: String

  /// Creates or empties a file, unless another process is writing it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - name: What errors call it: the name that it will have when it is complete.
  /// - Throws: `OutputError` `.cannotCreate`.
  init(_ path: String, for name: String) throws(OutputError) {
    let opened = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard opened >= 0 else {
      throw OutputError(
        kind: .cannotCreate, path: name, reason: String(cString: strerror(errno)),
        advice: "choose another --output or check the folder's permissions")
    }
    // Emptied only when it is ours, or a running writer would lose what it wrote.
    guard flock(opened, LOCK_EX | LOCK_NB) == 0, ftruncate(opened, 0) == 0 else {
      let reason = errno == EWOULDBLOCK ? "another process is writing it" : String(cString: strerror(errno))
      close(opened)
      throw OutputError(
        kind: .cannotCreate, path: name, reason: reason, advice: "wait for it or choose another --output")
    }
    (descriptor, self.name) = (opened, name)
  }

  /// Adds bytes to the end.
  ///
  /// - Throws: `OutputError` `.inputOutput`.
  public func write(_ bytes: [UInt8]) throws(OutputError) {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        throw OutputError(
          kind: .inputOutput, path: name, reason: String(cString: strerror(errno)),
          advice: "free some space or choose another --output; nothing was left behind")
      }
      done += count
    }
  }

  deinit { close(descriptor) }
}

extension OutputFolder {
  /// A file of the folder, to be written in pieces.
  ///
  /// - Throws: `OutputError` `.cannotCreate`.
  public func file(_ name: String) throws(OutputError) -> FileWriter {
    try FileWriter(partial + "/" + name, for: path + "/" + name)
  }
}
