private import Foundation

/// Folders on disk, whole.
enum FileTree {
  /// Names of the regular files below a folder, "figures/noise.svg", sorted; links are not followed.
  static func files(below folder: String) -> [String] {
    guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder) else { return [] }
    return names.filter { name in
      var status = stat()
      return lstat(folder + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }.sorted()
  }

  /// Names of the folders below a folder, those above others first; links are not followed.
  static func folders(below folder: String) -> [String] {
    entries(below: folder).filter(\.isFolder).map(\.name)
  }

  /// Something below a folder.
  struct Entry {
    let name: String  // "figures/noise.svg"
    let isFolder: Bool
    let isFile: Bool  // Whether it is a regular file, and no link.
    let isMarked: Bool  // Whether it is a file that Fathom did not finish.
  }

  /// Everything below a folder, by name; links are not followed.
  static func entries(below folder: String) -> [Entry] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).sorted().compactMap { name in
      var status = stat()
      guard lstat(folder + "/" + name, &status) == 0 else { return nil }
      return Entry(
        name: name, isFolder: status.st_mode & S_IFMT == S_IFDIR,
        isFile: status.st_mode & S_IFMT == S_IFREG, isMarked: UnfinishedMark.isOn(status))
    }
  }

  /// The folders that a name leads through: "a" and "a/b" of "a/b/c".
  static func parents(of name: String) -> [String] {
    name.indices.filter { name[$0] == "/" }.map { String(name[..<$0]) }
  }

  static func isEmpty(_ folder: String) -> Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty == true
  }

  /// Removes what it can of a file or a folder. A folder's owner file goes last, so that what is left of it is
  /// still known as Fathom's.
  static func remove(_ path: String) {
    let files = FileManager.default
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      removeContents(of: path)
      try? files.removeItem(atPath: path + "/" + OutputLock.fileName)
      rmdir(path)
    } else {
      unlink(path)
    }
  }

  /// Removes everything in a folder but its owner file.
  static func removeContents(of folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name != OutputLock.fileName {
      try? FileManager.default.removeItem(atPath: folder + "/" + name)
    }
  }

  /// Makes a folder and those above it; false, with `errno`, where that fails.
  static func makeFolder(_ path: String) -> Bool {
    var status = stat()
    if stat(path, &status) == 0 {
      errno = ENOTDIR
      return status.st_mode & S_IFMT == S_IFDIR
    }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex, !makeFolder(String(path[..<slash])) {
      return false
    }
    return mkdir(path, 0o777) == 0 || errno == EEXIST
  }
}
