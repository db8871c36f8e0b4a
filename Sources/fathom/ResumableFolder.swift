import Foundation
import FathomRuns
import FathomStorage

extension AtomicFolder {
  /// The folder that is written; unfinished work in it is gone on with, or refused.
  static func resumable(
    _ path: String, kind: FolderKind, resume: Bool, overwrite: Bool
  ) throws -> AtomicFolder {
    let isUnfinished = kind.checkpoint.map { AtomicFolder.isUnfinished(path, holding: $0) } ?? false
    guard !isUnfinished || resume || overwrite else {
      throw FathomError.cannotCreate(
        path, "an unfinished \(kind.noun) is there", "go on with --resume, or begin again with --overwrite")
    }
    var folder = try AtomicFolder(path, kind: kind, overwrite: overwrite, adopts: resume)
    if isUnfinished && resume { folder.keepPartial() }
    return folder
  }
}

extension Console {
  /// Writes a part of a search or a calibration.
  ///
  /// - Parameters:
  ///   - task: Everything that determines what is found in a scene, but for the data.
  ///   - fill: Finds what is not there yet; gives the digests of the data, by scene.
  func writePart(
    _ part: ScenePart, task: String, kind: FolderKind, to path: String, resume: Bool, overwrite: Bool,
    json: Bool, fill: (SceneCheckpoint) async throws -> [Int: String]
  ) async throws {
    if resume, AtomicFolder.isFinished(path, kind: kind) {
      let there = try PartSet.manifest(of: path, kind)
      guard there.part == part, there.task == task else {
        throw FathomError.cannotCreate(
          path, "it holds a shard with other data, options or version",
          "choose another --output, or begin again with --overwrite")
      }
      if !json { try show("\(path) is finished; nothing to do") }
      return
    }
    var folder = try AtomicFolder.resumable(path, kind: kind, resume: resume, overwrite: overwrite)
    let checkpoint = try SceneCheckpoint(in: folder.partial, kind: kind, task: "part \(part)\n" + task)
    folder.keepPartial()
    let digests = try await fill(checkpoint)
    let manifest = PartManifest(
      part, words: Array(CommandLine.arguments.dropFirst(2)),
      folder: FileManager.default.currentDirectoryPath, task: task, data: digests)
    try folder.commit(manifest: try manifest.json, leavingOut: [kind.checkpoint ?? ""])
    if !json { try show("Shard \(part): \(path)", beside: path) }
  }
}
