import DepthEvaluation
import DepthFusion
import DepthReport
package import DepthTuning
import Foundation
import Storage

/// Finished scenes of a search, kept in the partial folder so that an interrupted search can go on.
package struct TuningCheckpoint {
  private let folder: String
  /// Everything that determines the scores.
  private let fingerprint: Data

  /// - Throws: `FathomError` where the folder holds another search, or cannot be written.
  package init(in folder: String, fingerprint: TuningFingerprint) throws {
    self.folder = folder
    self.fingerprint = Data(try CanonicalJSON.text(fingerprint).utf8)
    let path = folder + "/" + Self.fingerprintFile
    guard let known = FileManager.default.contents(atPath: path) else {
      try write(self.fingerprint, to: Self.fingerprintFile)
      return
    }
    guard known == self.fingerprint else {
      throw FathomError.cannotCreate(
        folder, "it holds a search with other data, options or version",
        "repeat that command with --resume, begin again with --overwrite, or choose another --output")
    }
  }

  /// Marks a partial folder as one that can be gone on with; see `FolderKind.checkpoint`.
  package static let fingerprintFile = "search.json"

  /// The scores of a finished scene; nil where it is not finished.
  package func scores(_ number: Int, scene: String, configurations: [Int]) -> SceneScores? {
    FileManager.default.contents(atPath: folder + "/" + Self.file(number)).flatMap {
      SceneScores(data: $0, scene: scene, configurations: configurations)
    }
  }

  /// Keeps the scores of a scene; they appear complete or not at all.
  package func keep(_ scores: SceneScores, as number: Int) throws {
    try write(scores.data, to: Self.file(number))
  }

  /// Names of the scores, which go when the search is over. What it was stays, so that it can be told from another one.
  package static func scoreFiles(scenes: Int) -> [String] { (0..<scenes).map(file) }

  private static func file(_ number: Int) -> String { "scene-\(number).scores" }

  private func write(_ data: Data, to name: String) throws(FathomError) {
    let file = try AtomicFile(folder + "/" + name, overwrite: true)
    try file.write([UInt8](data))
    try file.commit()
  }
}

/// Everything that determines the scores of a search.
package struct TuningFingerprint: Codable, Sendable {
  struct Axis: Codable, Sendable {
    let id: String
    let values: [String]
  }

  let version: String
  let files: [String]
  let scenes: [String]
  let frames: String?
  let axes: [Axis]
  let options: FusionOptions
  let rules: String
  let objective: String, folds: Int?
  let seed: UInt64
  let searchPixels: Int?, searchPairs: Int?
  /// How objects are looked at; nil where they are not.
  let objects: ObjectPlan?

  init(_ plan: TuningPlan, base: FusionOptions, files: [String], scenes: [String], frames: String?) {
    version = Version.current
    (self.files, self.scenes, self.frames) = (files, scenes, frames)
    axes = plan.grid.axes.map { Axis(id: $0.dimension.id, values: $0.values) }
    options = base
    rules = plan.rules.summary
    (objective, folds) = (plan.objective.title, plan.folds)
    seed = plan.seed
    (searchPixels, searchPairs) = (plan.searchPixels, plan.searchPairs)
    objects = plan.objective.measure == .placement ? plan.objects : nil
  }
}
