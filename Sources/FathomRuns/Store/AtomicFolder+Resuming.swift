import FathomPlainText
package import FathomStorage

extension AtomicFolder {
  /// The folder that is written; unfinished work in it is resumed, or refused.
  package static func resumable(
    _ path: String, kind: FolderKind, resume: Bool, overwrite: Bool
  ) throws -> AtomicFolder {
    let isUnfinished = kind.checkpoint.map { AtomicFolder.isUnfinished(path, holding: $0) } ?? false
    guard !isUnfinished || resume || overwrite else {
      throw FathomError.cannotCreate(
        path, "an unfinished \(kind.noun) is there",
        "go on with \(option: "resume"), or begin again with \(option: "overwrite")")
    }
    var folder = try AtomicFolder(path, kind: kind, overwrite: overwrite, adopts: resume)
    if isUnfinished && resume { folder.keepPartial() }
    return folder
  }

  /// Does work whose finished scenes stay in the unfinished folder, also where it ends well: whoever writes the folder takes them away.
  /// - Parameter body: Calls its second argument when a scene is kept.
  static func resuming<Result>(
    _ path: String, kind: FolderKind, task: String,
    _ body: (WorkFolder, () throws -> Void) async throws -> Result
  ) async throws -> Result {
    var folder = try resumable(path, kind: kind, resume: true, overwrite: false)
    let work = try WorkFolder(in: folder.partial, kind: kind, task: task)
    return try await body(work) { folder.keepPartial() }
  }
}
