package import Foundation
import FathomPlainText
package import FathomStorage

/// Finished scenes of a search or a calibration, in a folder: in the partial one, so that an interrupted job can go on, or in that of
/// a part, for the merge. A scene is a file that is complete or not there.
package struct SceneCheckpoint {
  private let folder: String
  private let kind: FolderKind
  /// Where the folder is finished: what is read is held against its record.
  private let record: StoredFolder?

  /// A folder that is being written; the task stands in it from its beginning.
  ///
  /// - Parameters:
  ///   - kind: What it will be.
  ///   - task: Everything that determines what is found in a scene.
  /// - Throws: `FathomError` where the folder holds another task, or cannot be written.
  package init(in folder: String, kind: FolderKind, task: String) throws(FathomError) {
    (self.folder, self.kind, record) = (folder, kind, nil)
    guard let name = kind.checkpoint else { preconditionFailure("\(kind) cannot be gone on with") }
    guard let known = FileManager.default.contents(atPath: folder + "/" + name) else {
      try write(Data(task.utf8), to: name)
      return
    }
    guard known == Data(task.utf8) else {
      throw FathomError.cannotCreate(
        folder, "it holds a \(kind.noun) with other data, options or version",
        "repeat that command with \(option: "resume"), begin again with \(option: "overwrite"), or choose another \(option: "output")"
      )
    }
  }

  /// A finished part.
  package init(_ record: StoredFolder) { (folder, kind, self.record) = (record.path, record.kind, record) }

  /// What was kept of a scene; nil where it is not finished, or what is there was changed.
  ///
  /// - Throws: `FathomError` where a finished part is damaged.
  package func data(_ number: Int) throws(FathomError) -> Data? {
    let name = Self.name(number)
    guard let record else {
      return FileManager.default.contents(atPath: folder + "/" + name).flatMap {
        SealedBytes.open(Array($0)).map { Data($0) }
      }
    }
    guard let bytes = SealedBytes.open(try record.bytes(of: name)) else {
      throw record.damaged(name, "it is not what it should be")
    }
    return Data(bytes)
  }

  /// Keeps what was found in a scene.
  package func keep(_ data: Data, as number: Int) throws(FathomError) {
    try write(Data(SealedBytes.seal(Array(data))), to: Self.name(number))
  }

  /// Names of the files of scenes, and of the task, in a folder: they go when the job is over.
  package static func files(in folder: String, kind: FolderKind) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
      $0 == kind.checkpoint || $0.hasPrefix("scene-") && $0.hasSuffix(ending)
    }
  }

  private static let ending = ".found"
  private static func name(_ number: Int) -> String { "scene-\(number)\(ending)" }

  private func write(_ data: Data, to name: String) throws(FathomError) {
    let file = try AtomicFile(inUnfinishedFolder: folder + "/" + name)
    try file.write([UInt8](data))
    try file.commit()
  }
}
