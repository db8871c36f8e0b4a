private import Glibc

/// Brings what was written to the disk: without it a file that was renamed may be empty after the power fails.
enum DiskSync {
  /// Brings an open file to the disk.
  /// - Returns: nil, or the system's error.
  static func file(_ descriptor: Int32) -> Int32? {
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      // A file system without such a call, as some that lie in memory or behind a network.
      return [EINVAL, ENOTSUP, EROFS].contains(errno) ? nil : errno
    }
    return nil
  }

  /// Brings the names in a folder to the disk.
  /// - Returns: nil, or the system's error.
  static func folder(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A folder that may be written but not listed cannot be opened.
    guard descriptor >= 0 else { return errno == EACCES ? nil : errno }
    defer { close(descriptor) }
    return file(descriptor)
  }

  /// Takes the mark of unfinished files away from everything in a folder, and brings it to the disk: files, then folders.
  /// - Parameter left: Names of files that stay as they are.
  /// - Returns: nil, or where it failed and the system's error.
  static func finish(_ folder: String, leavingOut left: Set<String>) -> (path: String, error: Int32)? {
    for file in FileTree.files(below: folder) where !left.contains(file) {
      let path = folder + "/" + file
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { return (path, errno) }
      defer { close(descriptor) }
      if let error = UnfinishedMark.remove(descriptor) ?? Self.file(descriptor) { return (path, error) }
    }
    for path in FileTree.folders(below: folder).map({ folder + "/" + $0 }).reversed() + [folder] {
      if let error = Self.folder(path) { return (path, error) }
    }
    return nil
  }
}
