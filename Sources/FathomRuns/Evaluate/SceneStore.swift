import FathomRunFolders
import DepthDiagnosis
import DepthEvaluation
import FathomStorage

/// Finished scenes of an evaluation in a folder of unfinished work or of a shard.
///
/// A scene is its rows, in files of ``stretch`` frames, `scene-A-B-N.rows`, and `scene-A-B.json`, which is written after each of them
/// and says what their digests are. A and B are the places of the data set and of the scene in the task, from 0.
struct SceneStore {
  /// Where a scene is in the task.
  struct Place: Hashable { let input: Int, scene: Int }

  /// What was found in a scene besides its rows.
  struct Scene: Codable {
    var context: SceneContext
    let data: String  // Digest of the data that it lies in.
    var rows: [String]  // SHA-256 of the rows of each stretch, from the first on.
    let isFinished: Bool  // Whether these are all.
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

  static let stretch = 64  // Frames of a long scene that are kept at once, and scenes of one frame.
  private let work: WorkFolder
  init(_ work: WorkFolder) { self.work = work }

  // MARK: Scenes

  /// What is kept of a scene; nil where nothing is. Rows that were changed are lost, and all behind them.
  /// - Throws: `FathomError` where a finished folder is damaged.
  func scene(_ place: Place) throws(FathomError) -> Scene? {
    guard let scene: Scene = try value(name(place, "json")) else { return nil }
    for (number, digest) in scene.rows.enumerated() {
      let file = rowsName(place, number)
      guard (try? Digest.sha256(ofFile: work.path + "/" + file)) != digest else { continue }
      try work.refuse(file, "it was changed after it was written, or is lost")
      return Scene(
        context: scene.context, data: scene.data, rows: Array(scene.rows[..<number]), isFinished: false,
        leftOut: scene.leftOut, failure: nil)
    }
    return scene
  }

  /// The rows of a scene that is evaluated, or the rest of them.
  struct Rows: ~Copyable {
    private let store: SceneStore, place: Place
    private(set) var digests: [String]  // Of finished stretches.
    private var current: SceneRows
    private var count = 0  // Frames in it.

    /// Adds a frame.
    /// - Returns: Whether a stretch before it is finished now.
    /// - Throws: `FathomError` where the disk is full.
    mutating func take(_ rows: [FrameRecord], _ objects: FrameObjects) throws(FathomError) -> Bool {
      let isFull = count == SceneStore.stretch
      if isFull {
        var full = try store.file(place, digests.count + 1)
        swap(&current, &full)
        try full.commit()
        digests.append(try store.digest(place, digests.count))
        count = 0
      }
      try current.take(rows, objects)
      count += 1
      return isFull
    }

    /// Finishes the last stretch.
    /// - Returns: The digests of all.
    /// - Throws: `FathomError` where the disk is full.
    consuming func finish() throws(FathomError) -> [String] {
      let (store, place, digests) = (store, place, digests)
      try current.commit()
      return digests + [try store.digest(place, digests.count)]
    }

    fileprivate init(_ store: SceneStore, _ place: Place, after digests: [String]) throws(FathomError) {
      (self.store, self.place, self.digests) = (store, place, digests)
      current = try store.file(place, digests.count)
    }
  }

  /// The rows of a scene, to be written.
  /// - Parameter digests: Of the stretches that are there.
  func rows(_ place: Place, after digests: [String] = []) throws(FathomError) -> Rows {
    try Rows(self, place, after: digests)
  }

  private func file(_ place: Place, _ stretch: Int) throws(FathomError) -> SceneRows {
    try SceneRows(writingTo: work.path + "/" + rowsName(place, stretch))
  }

  private func digest(_ place: Place, _ stretch: Int) throws(FathomError) -> String {
    try Digest.sha256(ofFile: work.path + "/" + rowsName(place, stretch))
  }

  /// Hands over a scene's rows and objects, frame by frame.
  func read(
    _ scene: Scene, _ place: Place, take: ([FrameRecord], FrameObjects) throws(FathomError) -> Void
  ) throws(FathomError) {
    for stretch in scene.rows.indices {
      try SceneRows.read(work.path + "/" + rowsName(place, stretch), scene: scene.context.name, take: take)
    }
  }

  func keep(_ scene: Scene, _ place: Place) throws { try keep(scene, as: name(place, "json")) }

  // MARK: Diagnoses

  func findings(_ place: Place) throws(FathomError) -> [Finding]? { try value(name(place, "diagnosis.json")) }

  /// Keeps of findings what a run says of them.
  func keep(_ findings: [Finding], _ place: Place) throws {
    try keep(findings.said, as: name(place, "diagnosis.json"))
  }

  // MARK: Data sets

  func input(_ position: Int) throws(FathomError) -> Input? { try value("input-\(position).json") }
  func keep(_ input: Input, _ position: Int) throws { try keep(input, as: "input-\(position).json") }

  // MARK: Files

  private func name(_ place: Place, _ ending: String) -> String {
    "scene-\(place.input)-\(place.scene).\(ending)"
  }

  private func rowsName(_ place: Place, _ stretch: Int) -> String {
    "scene-\(place.input)-\(place.scene)-\(stretch).rows"
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
