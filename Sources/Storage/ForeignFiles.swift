private import Glibc

/// What lies in a folder that Fathom did not write: it may be neither replaced nor deleted.
enum ForeignFiles {
  /// The first such file, link or folder in a finished folder: one that the manifest does not list.
  ///
  /// - Parameter kind: What the folder is.
  /// - Returns: Its name in the folder; nil where everything is Fathom's.
  static func first(in folder: String, of kind: FolderKind) -> String? {
    let listed = listed(in: folder, of: kind)
    let parents = Set(listed.flatMap { FileTree.parents(of: $0) })
    return FileTree.entries(below: folder).first { entry in
      entry.isFolder ? !parents.contains(entry.name) : !listed.contains(entry.name)
    }?.name
  }

  /// The same of an unfinished folder, whose files are marked as such; of one that was nearly finished the manifest lists them.
  static func first(inUnfinished folder: String) -> String? {
    var status = stat()
    // The file system keeps no marks, or the folder was finished and has been replaced.
    guard lstat(folder + "/" + OutputLock.fileName, &status) == 0, UnfinishedMark.isOn(status) else { return nil }
    let listed = FolderKind.kinds(in: folder).reduce(into: Set([OutputLock.fileName])) {
      $0.formUnion(Self.listed(in: folder, of: $1))
    }
    return FileTree.entries(below: folder).first { entry in
      !entry.isFolder && !entry.isMarked && !listed.contains(entry.name)
    }?.name
  }

  private static func listed(in folder: String, of kind: FolderKind) -> Set<String> {
    guard let text = StoredFolder.text(of: folder + "/" + kind.marker),
      let record = (try? JSONValue(text: text)).flatMap(RecordedFiles.init(of:))
    else { return [] }
    return FolderKind.unrecorded.union(record.digests.keys).union([kind.marker])
  }
}
