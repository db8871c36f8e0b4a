private import Foundation
private import PlainText

/// A folder that only this user can open, for what must lie on disk as long as somebody holds it. It is removed with its last owner,
/// and where the process is interrupted; one that a killed process left is removed when the next one is made.
public final class ScratchFolder: Sendable {
  /// Without a slash at the end.
  public let path: String
  /// The folder around it, which also holds the mark of its owner.
  private let place: String
  private let lock: OutputLock

  /// Creates it in the folder that `TMPDIR` names, else in /tmp.
  ///
  /// - Throws: `FathomError` `.cannotCreate`.
  public init() throws(FathomError) {
    let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let parent = named.isEmpty ? "/tmp" : named
    Self.removeAbandoned(in: parent)
    var name = Array((parent + "/\(Self.beginning)XXXXXX").utf8CString)
    func refusal(_ number: Int32) -> FathomError {
      .cannotCreate(
        "a temporary folder in \(parent)", SystemReason.words(number),
        "name another folder in the variable TMPDIR")
    }
    guard mkdtemp(&name) != nil else { throw refusal(errno) }
    let place = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do throws(OutputLock.Refusal) { lock = try OutputLock(place + "/" + OutputLock.fileName) } catch {
      FileTree.remove(place)
      if case .system(let number) = error { throw refusal(number) }
      throw refusal(EWOULDBLOCK)
    }
    UnfinishedOutputs.add(place)
    (path, self.place) = (Self.content(of: place), place)
    guard mkdir(path, 0o700) == 0 else { throw refusal(errno) }
  }

  /// Gives a scratch folder another name, so that a process that still unpacks into it finds its place no more.
  ///
  /// - Returns: The name; that of any other path is what it was.
  static func withdrawn(_ path: String) -> String {
    guard isScratch(path) else { return path }
    var name = Array((path.dropLast(6) + "XXXXXX").utf8CString)
    guard mkdtemp(&name) != nil else { return path }
    let other = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return rename(path, other) == 0 ? other : path
  }

  private static func isScratch(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name.hasPrefix(beginning) && name.utf8.count == beginning.utf8.count + 6
      && access(content(of: path), F_OK) == 0
  }

  /// There only while, or after, the owner holds the lock.
  private static func content(of place: String) -> String { place + "/content" }

  private static let beginning = "fathom-"

  /// Removes the folders of this user whose owner is gone; one without content is somebody else's, or is just being made.
  private static func removeAbandoned(in parent: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    where isScratch(parent + "/" + name) {
      let place = parent + "/" + name
      let lock = place + "/" + OutputLock.fileName
      var (folder, content, mark) = (stat(), stat(), stat())
      guard lstat(place, &folder) == 0, folder.st_mode & (S_IFMT | 0o077) == S_IFDIR,
        folder.st_uid == geteuid(),
        lstat(Self.content(of: place), &content) == 0, content.st_mode & S_IFMT == S_IFDIR,
        lstat(lock, &mark) == 0, UnfinishedMark.isOn(mark)
      else { continue }
      do throws(OutputLock.Refusal) {
        let held = try OutputLock(lock)
        FileTree.remove(place)
        _ = held.descriptor
      } catch {}
    }
  }

  /// Removes what is in it.
  package func empty() { FileTree.removeContents(of: path) }

  deinit {
    UnfinishedOutputs.remove(place)
    FileTree.remove(place)
  }
}
