import FathomPlainText
import FathomTables
import Foundation
package import FathomStorage

/// Finished scenes of a job in a folder: in an unfinished one, so that an interrupted job can be resumed, or in that of a shard, for
/// the merge. What was found is a file that is complete or not there, and that says itself whether it was changed.
package struct WorkFolder: Sendable {
  let path: String
  package let checkpoint: String  // Name of the file that holds the task.
  /// Where the folder is finished: what is read is compared with its record.
  private let record: StoredFolder?

  /// A folder that is being written; the task stands in it from its beginning.
  /// - Parameter kind: What it will be; one that has a checkpoint.
  /// - Parameter task: Everything that determines what is found in a scene.
  /// - Throws: `FathomError` where the folder holds another task, or cannot be written.
  package init(in folder: String, kind: FolderKind, task: String) throws(FathomError) {
    guard let name = kind.checkpoint else { preconditionFailure("\(kind) cannot be resumed") }
    (path, checkpoint, record) = (folder, name, nil)
    guard let known = FileManager.default.contents(atPath: folder + "/" + name) else {
      try write(Array(task.utf8), to: name)
      return
    }
    guard known == Data(task.utf8) else {
      throw Self.foreign(
        folder, kind, Self.maker(known), else: "repeat that command with \(option: "resume")")
    }
    // What was begun and not finished is made again.
    for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where !file.hasPrefix(".") && file != name && !Self.isFound(file) {
      try? FileManager.default.removeItem(atPath: folder + "/" + file)
    }
  }

  /// A finished shard.
  init(_ record: StoredFolder) {
    (path, checkpoint, self.record) = (record.path, record.kind.checkpoint ?? "", record)
  }

  /// Whether a finished folder of a task is there. One that does not name its task counts, too.
  /// - Parameter task: What stands in its checkpoint.
  /// - Throws: `FathomError` `.cannotCreate` where it is of another task, `.badData` where it was changed.
  package static func isFinished(_ path: String, kind: FolderKind, task: String) throws(FathomError) -> Bool {
    guard AtomicFolder.isFinished(path, kind: kind) else { return false }
    let known = kind.checkpoint.flatMap { FileManager.default.contents(atPath: path + "/" + $0) }
    guard known == nil || known == Data(task.utf8) else { throw foreign(path, kind, maker(known)) }
    try StoredFolder(path, kinds: [kind], attempted: "go on with").verify()
    return true
  }

  /// - Parameter maker: The build that the folder is of; nil where that is not known.
  /// - Parameter advice: What can be done besides about other data or options.
  static func foreign(
    _ path: String, _ kind: FolderKind, _ maker: String?, else advice: Wording = ""
  ) -> FathomError {
    let isOther = maker.map { $0 != Version.name } ?? false
    let first: Wording = isOther ? "use the same build" : advice
    return .cannotCreate(
      path,
      isOther
        ? "it holds a \(kind.noun) of \(maker ?? ""), and this is \(Version.name)"
        : "it holds a \(kind.noun) with other data or options",
      "\(first)\(first == "" ? "" : ", ")begin again with \(option: "overwrite"), or choose another \(option: "output")"
    )
  }

  /// The build that a checkpoint is of, as its task names it.
  private static func maker(_ checkpoint: Data?) -> String? {
    let task = checkpoint.map { String(decoding: $0, as: UTF8.self) }?.split(separator: "\n").last
    return task.flatMap { try? JSONValue(text: String($0)) }?["version"]?.string
  }

  /// Names of the files of what was found: they go when the job is over.
  package var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter(Self.isFound)
  }

  private static func isFound(_ file: String) -> Bool {
    (file.hasPrefix("scene-") || file.hasPrefix("input-")) && !file.hasSuffix(".partial")
  }

  /// What was kept under a name; nil where it is not finished, or was changed since.
  /// - Throws: `FathomError` where a finished shard is damaged.
  func found(_ name: String) throws(FathomError) -> [UInt8]? {
    guard let record else {
      return FileManager.default.contents(atPath: path + "/" + name).flatMap { SealedBytes.open(Array($0)) }
    }
    guard record.has(name) else { return nil }
    let bytes = SealedBytes.open(try record.bytes(of: name))
    if bytes == nil { try refuse(name) }
    return bytes
  }

  /// - Throws: `FathomError` where a file of a finished shard is of no use; an unfinished job finds it again.
  func refuse(_ name: String, _ reason: String = "it is not what it should be") throws(FathomError) {
    if let record { throw record.damaged(name, reason) }
  }

  /// Keeps what was found under a name that begins with "scene-" or "input-".
  func keep(_ bytes: [UInt8], as name: String) throws(FathomError) {
    try write(SealedBytes.seal(bytes), to: name)
  }

  private func write(_ bytes: [UInt8], to name: String) throws(FathomError) {
    let file = try AtomicFile(inUnfinishedFolder: path + "/" + name)
    try file.write(bytes)
    try file.commit()
  }
}
