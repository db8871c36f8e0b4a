private import Glibc
private import PlainText

/// A folder that only this user can open, for what must lie on disk as long as somebody holds it. It is removed with its last owner,
/// and where the process is interrupted; a process that is killed leaves it behind.
public final class ScratchFolder: Sendable {
  /// Without a slash at the end.
  public let path: String

  /// Creates it in the folder that `TMPDIR` names, else in /tmp.
  ///
  /// - Throws: `FathomError` `.cannotCreate`.
  public init() throws(FathomError) {
    let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let place = named.isEmpty ? "/tmp" : named
    var name = Array((place + "/fathom-XXXXXX").utf8CString)
    guard mkdtemp(&name) != nil else {
      throw .cannotCreate(
        "a temporary folder in \(place)", SystemReason.words(), "name another folder in the variable TMPDIR")
    }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    UnfinishedOutputs.add(path)
  }

  /// Removes what is in it.
  package func empty() { FileTree.removeContents(of: path) }

  deinit {
    UnfinishedOutputs.remove(path)
    FileTree.remove(path)
  }
}
