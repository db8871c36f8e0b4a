private import Glibc
private import FathomPlainText

/// An open file that bytes are added to; closed with its owner.
public struct FileWriter: ~Copyable {
  private let descriptor: Int32, name: String

  /// Creates or empties a file of a folder that is locked, with the mark of unfinished files.
  /// - Parameter name: What errors call it: the name that it will have when it is complete.
  /// - Throws: `FathomError` `.inputOutput`.
  init(_ path: String, for name: String) throws(FathomError) {
    let opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, UnfinishedMark.mode)
    guard opened >= 0 else { throw Self.failure(name) }
    (descriptor, self.name) = (opened, name)
  }

  /// Adds bytes to the end.
  /// - Throws: `FathomError` `.inputOutput`.
  public func write(_ bytes: [UInt8]) throws(FathomError) { try Self.write(bytes, to: descriptor, for: name) }

  static func write(_ bytes: [UInt8], to descriptor: Int32, for name: String) throws(FathomError) {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw failure(name) }
      done += count
    }
  }

  private static func failure(_ name: String) -> FathomError {
    .inputOutput(name, .last, "free some space or choose another \(option: "output")")
  }

  deinit { close(descriptor) }
}
