import FathomRunFolders
import FathomPlainText
import DepthDiagnosis
import DepthEvaluation
import FathomStorage

/// Finished scenes of an evaluation in a folder of unfinished work or of a shard.
///
/// A scene is two files: its rows, and `scene-A-B.json`, which is written after them and says what their digest is. A and B
/// are the places of the data set and of the scene in the task, from 0.
struct SceneStore {
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

  private let work: WorkFolder

  init(_ work: WorkFolder) { self.work = work }

  // MARK: Scenes

  /// A scene that is finished; nil where it is not, or what is there was changed.
  ///
  /// - Throws: `FathomError` where a finished folder is damaged.
  func scene(_ place: Place) throws(FathomError) -> Scene? {
    guard let scene: Scene = try value(name(place, "json")) else { return nil }
    if let rows = scene.rows {
      let file = name(place, "rows")
      guard (try? Digest.sha256(ofFile: work.path + "/" + file)) == rows else {
        try work.refuse(file, "it was changed after it was written, or is lost")
        return nil
      }
    }
    return scene
  }

  /// The file of a scene's rows, to be written.
  func rows(_ place: Place) throws(FathomError) -> SceneRows {
    try SceneRows(writingTo: work.path + "/" + name(place, "rows"))
  }

  /// The digest of a scene's rows.
  func digest(_ place: Place) throws(FathomError) -> String {
    try Digest.sha256(ofFile: work.path + "/" + name(place, "rows"))
  }

  /// Hands over a scene's rows and objects, frame by frame.
  func read(
    _ place: Place, as name: String,
    take: ([FrameRecord], FrameObjects) throws(FathomError) -> Void
  ) throws(FathomError) {
    try SceneRows.read(work.path + "/" + self.name(place, "rows"), scene: name, take: take)
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
    guard let bytes = try work.found(name) else { return nil }
    let value: Value? = try? CanonicalJSON.value(from: String(decoding: bytes, as: UTF8.self))
    if value == nil { try work.refuse(name) }
    return value
  }

  private func keep(_ value: some Encodable, as name: String) throws {
    let text = try CanonicalJSON.text(value, isPretty: false, spellsNonFinite: true)
    try work.keep(Array(text.utf8), as: name)
  }
}
