private import Foundation
private import FathomPlainText

/// A folder that only this user can open, for what must lie on disk as long as somebody holds it. It is removed with its last owner,
/// and where the process is interrupted; one that a killed process left is removed when the next one is made.
public final class ScratchFolder: Sendable {
  /// Without a slash at the end.
  public let path: String
  private let place: String  // The folder around it, which also holds the mark of its owner.
  private let lock: OutputLock

  /// Creates it in the folder that `TMPDIR` names, else in /tmp.
  /// - Throws: `FathomError` `.cannotCreate`.
  public init() throws(FathomError) {
    let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let parent = named.isEmpty ? "/tmp" : named
    Self.removeAbandoned(in: parent)
    // Until it is locked, another process may take it for abandoned and remove it: then the next one is tried.
    var refusal = OutputLock.Refusal.isHeld
    for _ in 0..<10 {
      do throws(OutputLock.Refusal) {
        let place = Self.name(in: parent)
        let lock = try UnfinishedOutputs.make(place) { () throws(OutputLock.Refusal) in try Self.make(place) }
        self.lock = lock
        (path, self.place) = (Self.content(of: place), place)
        return
      } catch {
        refusal = error
        if case .system(let number) = error, number != ENOENT, number != EEXIST { break }
      }
    }
    let number = if case .system(let number) = refusal { number } else { EWOULDBLOCK }
    throw .cannotCreate(
      "a temporary folder in \(parent)", SystemFault(number).words,
      "name another folder in the variable TMPDIR")
  }

  /// - Returns: The lock of its owner.
  private static func make(_ place: String) throws(OutputLock.Refusal) -> OutputLock {
    guard mkdir(place, 0o700) == 0 else { throw .system(errno) }
    let lock = try OutputLock(place + "/" + OutputLock.fileName)
    guard mkdir(content(of: place), 0o700) == 0 else {
      let number = errno
      FileTree.remove(place)
      throw .system(number)
    }
    return lock
  }

  /// A name that nothing is likely to have.
  private static func name(in parent: String) -> String {
    parent + "/" + beginning
      + String((0..<letters).compactMap { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() })
  }

  /// Gives a scratch folder another name, so that a process that still unpacks into it finds its place no more.
  /// - Returns: The name; that of any other path is what it was.
  static func withdrawn(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), hasName(path[path.index(after: slash)...]),
      access(content(of: path), F_OK) == 0
    else { return path }
    let other = name(in: String(path[..<slash]))
    return rename(path, other) == 0 ? other : path
  }

  private static func hasName(_ name: some StringProtocol) -> Bool {
    name.hasPrefix(beginning) && name.utf8.count == beginning.utf8.count + letters
  }

  private static func content(of place: String) -> String { place + "/content" }
  private static let beginning = "fathom-", letters = 6

  /// Removes the folders of this user whose owner is gone: those that hold the free lock of one, or nothing yet.
  private static func removeAbandoned(in parent: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where hasName(name) {
      let place = parent + "/" + name
      let lock = place + "/" + OutputLock.fileName
      var (folder, mark) = (stat(), stat())
      guard lstat(place, &folder) == 0, folder.st_mode & (S_IFMT | 0o077) == S_IFDIR,
        folder.st_uid == geteuid()
      else { continue }
      guard lstat(lock, &mark) == 0 else {
        rmdir(place)
        continue
      }
      guard UnfinishedMark.isOn(mark) else { continue }
      do throws(OutputLock.Refusal) {
        let held = try OutputLock(lock)
        FileTree.remove(place)
        _ = held.descriptor
      } catch {}
    }
  }

  package func empty() { FileTree.removeContents(of: path) }

  deinit {
    FileTree.remove(place)
    UnfinishedOutputs.remove(place)
  }
}
