import FathomRunFolders
import FathomPlainText
import DepthDiagnosis
import DepthEvaluation
import Foundation
package import FathomStorage

/// Finished scenes of an evaluation, in a folder: how a part keeps them for the merge, and an unfinished evaluation for going on.
///
/// A scene is two files: its rows, and `scene-A-B.json`, which is written after them and says what their digest is. A and B
/// are the places of the data set and of the scene in the task, from 0.
package struct SceneStore {
  /// Where a scene is in the task.
  struct Place: Hashable {
    let input: Int, scene: Int
  }

  /// What was found in a scene besides its rows.
  struct Scene: Codable {
    var context: SceneContext
    /// Digest of the data that it lies in.
    let data: String
    /// SHA-256 of the rows; absent where the scene could not be read.
    let rows: String?
    /// Why its detections were not looked at; absent where they were.
    let leftOut: String?
    /// Why it could not be read; absent where it could.
    let failure: String?
  }

  /// A data set as the run lists it.
  struct Input: Codable {
    let manifest: RunManifest.Input
    /// Digest of the data.
    let data: String?
  }

  private let folder: String
  /// Where the folder is finished: what is read is held against its record.
  private let record: StoredFolder?

  /// A folder that is being written; the task stands in it from its beginning.
  ///
  /// - Parameter kind: What it will be.
  /// - Throws: `FathomError` where the folder holds another task, or cannot be written.
  package init(in folder: String, kind: FolderKind, task: EvaluationTask, part: ScenePart?) throws {
    (self.folder, record) = (folder, nil)
    let text = (part.map { "part \($0)\n" } ?? "") + (try task.text)
    guard let name = kind.checkpoint else { return }
    guard let known = FileManager.default.contents(atPath: folder + "/" + name) else {
      try write(Array(text.utf8), to: name)
      return
    }
    guard known == Data(text.utf8) else {
      throw FathomError.cannotCreate(
        folder, "it holds an evaluation with other data, options or version",
        "repeat that command with \(option: "resume"), begin again with \(option: "overwrite"), or choose another \(option: "output")"
      )
    }
    // What was begun and not finished is made again.
    for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where !file.hasPrefix(".") && !Self.isKept(file, kind) {
      try? FileManager.default.removeItem(atPath: folder + "/" + file)
    }
  }

  /// A finished folder.
  init(_ record: StoredFolder) { (folder, self.record) = (record.path, record) }

  /// Names of the files of scenes in a folder, and of what told the task.
  package static func files(in folder: String, kind: FolderKind) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { isKept($0, kind) }
  }

  private static func isKept(_ file: String, _ kind: FolderKind) -> Bool {
    file == kind.checkpoint
      || (file.hasPrefix("scene-") || file.hasPrefix("input-")) && !file.hasSuffix(".partial")
  }

  // MARK: Scenes

  /// A scene that is finished; nil where it is not, or what is there was changed.
  ///
  /// - Throws: `FathomError` where a finished folder is damaged.
  func scene(_ place: Place) throws(FathomError) -> Scene? {
    guard let scene: Scene = try value(name(place, "json")) else { return nil }
    if let rows = scene.rows {
      let file = name(place, "rows")
      guard (try? Digest.sha256(ofFile: folder + "/" + file)) == rows else {
        if let record { throw record.damaged(file, "it was changed after it was written, or is lost") }
        return nil
      }
    }
    return scene
  }

  /// The file of a scene's rows, to be written.
  func rows(_ place: Place) throws(FathomError) -> SceneRows {
    try SceneRows(writingTo: folder + "/" + name(place, "rows"))
  }

  /// The digest of a scene's rows.
  func digest(_ place: Place) throws(FathomError) -> String {
    try Digest.sha256(ofFile: folder + "/" + name(place, "rows"))
  }

  /// Hands over a scene's rows and objects, frame by frame.
  func read(
    _ place: Place, as name: String,
    take: ([FrameRecord], FrameObjects) throws(FathomError) -> Void
  ) throws(FathomError) {
    try SceneRows.read(folder + "/" + self.name(place, "rows"), scene: name, take: take)
  }

  func keep(_ scene: Scene, _ place: Place) throws { try keep(scene, as: name(place, "json")) }

  // MARK: Diagnoses

  func findings(_ place: Place) throws(FathomError) -> [Finding]? { try value(name(place, "diagnosis.json")) }

  /// Keeps of findings what a run says of them.
  func keep(_ findings: [Finding], _ place: Place) throws {
    let said = findings.map { finding in
      var finding = finding
      (finding.readings, finding.witnesses, finding.flips, finding.correction) = ([], [], nil, nil)
      return finding
    }
    try keep(said, as: name(place, "diagnosis.json"))
  }

  // MARK: Data sets

  func input(_ position: Int) throws(FathomError) -> Input? { try value("input-\(position).json") }

  func keep(_ input: Input, _ position: Int) throws { try keep(input, as: "input-\(position).json") }

  // MARK: Files

  private func name(_ place: Place, _ ending: String) -> String {
    "scene-\(place.input)-\(place.scene).\(ending)"
  }

  private func value<Value: Decodable>(_ name: String) throws(FathomError) -> Value? {
    func decoded(_ bytes: [UInt8]) -> Value? {
      SealedBytes.open(bytes).flatMap {
        try? CanonicalJSON.value(from: String(decoding: $0, as: UTF8.self))
      }
    }
    guard let record else {
      return FileManager.default.contents(atPath: folder + "/" + name).flatMap { decoded(Array($0)) }
    }
    guard record.has(name) else { return nil }
    guard let value = decoded(try record.bytes(of: name)) else {
      throw record.damaged(name, "it is not what it should be")
    }
    return value
  }

  private func keep(_ value: some Encodable, as name: String) throws {
    let text = try CanonicalJSON.text(value, isPretty: false, spellsNonFinite: true)
    try write(SealedBytes.seal(Array(text.utf8)), to: name)
  }

  private func write(_ bytes: [UInt8], to name: String) throws(FathomError) {
    let file = try AtomicFile(inUnfinishedFolder: folder + "/" + name)
    try file.write(bytes)
    try file.commit()
  }
}
