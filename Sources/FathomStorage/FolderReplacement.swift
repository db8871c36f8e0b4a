private import CFathomGlibc
private import Glibc

/// Gives a finished folder its name, in one step where the file system can, so that there is always a whole folder under it.
enum FolderReplacement {
  /// Renames `partial` to `target`; a folder of that name is replaced and removed where that is allowed.
  /// - Returns: nil, or the system's error; then `target` is as it was.
  static func rename(_ partial: String, _ target: String, _ replaces: Bool) -> Int32? {
    if fathom_rename_new(partial, target) == 0 { return nil }
    let failed = errno
    // A file system that cannot rename with a condition.
    if failed == EINVAL || failed == ENOSYS {
      return access(target, F_OK) == 0
        ? (replaces ? inTwoSteps(partial, target) : EEXIST)
        : (Glibc.rename(partial, target) == 0 ? nil : errno)
    }
    guard failed == EEXIST, replaces else { return failed }
    // Marked, so that the former folder is known as ours to remove should the process end before it is gone.
    guard mark(target) else { return errno }
    guard fathom_rename_exchange(partial, target) == 0 else {
      let failed = errno
      if failed == EINVAL || failed == ENOSYS { return inTwoSteps(partial, target) }
      unlink(target + "/" + OutputLock.fileName)
      return failed
    }
    remove(partial, replacedBy: target)
    return nil
  }

  /// Removes the former folder, but not before the new one's name is on the disk.
  private static func remove(_ former: String, replacedBy target: String) {
    let parent = target.lastIndex(of: "/").map { $0 == target.startIndex ? "/" : String(target[..<$0]) }
    if DiskSync.folder(parent ?? ".") == nil { FileTree.remove(former) }
  }

  private static func mark(_ folder: String) -> Bool {
    let descriptor = open(
      folder + "/" + OutputLock.fileName, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  /// Where the former folder is between two steps: "demo.replaced".
  private static func aside(_ target: String) -> String { target + ".replaced" }

  /// For file systems without an exchange: the former folder goes aside, and comes back where the new one cannot take its place.
  static func inTwoSteps(_ partial: String, _ target: String) -> Int32? {
    let aside = aside(target)
    guard mark(target) else { return errno }
    guard Glibc.rename(target, aside) == 0 else {
      let failed = errno
      unlink(target + "/" + OutputLock.fileName)
      return failed
    }
    guard Glibc.rename(partial, target) == 0 else {
      let failed = errno
      _ = Glibc.rename(aside, target)
      unlink(target + "/" + OutputLock.fileName)
      return failed
    }
    remove(aside, replacedBy: target)
    return nil
  }

  /// Ends what a process began that was killed between two steps: brings the former folder back, or takes it away; takes the mark of a
  /// writer that is gone from a finished folder.
  static func recover(_ target: String) {
    let mark = target + "/" + OutputLock.fileName
    if access(mark, F_OK) == 0 {
      do throws(OutputLock.Refusal) {
        let held = try OutputLock(mark)
        unlink(mark)
        _ = held.descriptor
      } catch {}
    }
    let aside = aside(target)
    guard access(aside + "/" + OutputLock.fileName, F_OK) == 0 else { return }
    if access(target, F_OK) == 0 {
      FileTree.remove(aside)
    } else if Glibc.rename(aside, target) == 0 {
      unlink(target + "/" + OutputLock.fileName)
    }
  }
}
