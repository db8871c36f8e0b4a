private import Glibc

/// What lies in a folder that Fathom did not write: it may be neither replaced nor deleted.
enum ForeignFiles {
  /// The first such file, link or folder in a finished folder: one that the manifest does not list, or that was changed since.
  /// - Returns: Its name in the folder; nil where everything is Fathom's.
  static func first(in folder: String, of kind: FolderKind) -> String? {
    let record = record(of: folder, kind)
    let parents = Set(names(record, kind).flatMap { FileTree.parents(of: $0) })
    return FileTree.entries(below: folder).first { entry in
      if entry.isFolder { return !parents.contains(entry.name) }
      guard entry.isFile else { return true }
      if entry.name == kind.marker { return record == nil }
      if FolderKind.unrecorded.contains(entry.name) { return false }
      guard let digest = record?.digests[entry.name] else { return true }
      return (try? Digest.sha256(ofFile: folder + "/" + entry.name)) != digest
    }?.name
  }

  /// The same of an unfinished folder, whose files are marked as such; of one that was nearly finished the manifest lists them.
  static func first(inUnfinished folder: String) -> String? {
    var status = stat()
    // The file system keeps no marks, or the folder was finished and has been replaced.
    guard lstat(folder + "/" + OutputLock.fileName, &status) == 0, UnfinishedMark.isOn(status) else {
      return nil
    }
    let listed = FolderKind.kinds(in: folder).reduce(into: Set([OutputLock.fileName])) {
      $0.formUnion(names(record(of: folder, $1), $1))
    }
    return FileTree.entries(below: folder).first { entry in
      !entry.isFolder && !entry.isMarked && !listed.contains(entry.name)
    }?.name
  }

  /// What the manifest says of the files; nil where it says nothing, or was changed.
  private static func record(of folder: String, _ kind: FolderKind) -> RecordedFiles? {
    guard let text = StoredFolder.text(of: folder + "/" + kind.marker),
      let manifest = try? JSONValue(text: text), let record = RecordedFiles(of: manifest),
      let digest = try? RecordedFiles.digest(of: manifest), record.digests[kind.marker] == digest
    else { return nil }
    return record
  }

  private static func names(_ record: RecordedFiles?, _ kind: FolderKind) -> Set<String> {
    guard let record else { return [] }
    return FolderKind.unrecorded.union(record.digests.keys).union([kind.marker])
  }
}
