import DepthDataset
import DepthEvaluation
import FathomStorage
import Foundation

/// What is known of the scenes of a search or a calibration, by their names: what an unfinished folder holds or shards found.
struct SceneResults {
  /// nil where nothing is kept.
  private let work: WorkFolder?
  /// Of finished shards, with the digests of the data by scene; empty where scenes are still to be looked at.
  private let shards: [(folder: WorkFolder, data: [Int: String])]
  private let numbers: [String: Int]  // Among all scenes of the job.

  /// - Parameter work: Where finished scenes are kept and found; nil to keep none.
  /// - Parameter shards: All shards of the job, for their merge; empty otherwise.
  /// - Parameter scenes: All scenes of the job, in order.
  init<Task>(in work: WorkFolder?, of shards: [Shard<Task>], scenes: [String]) {
    self.work = work
    self.shards = shards.map { (WorkFolder($0.folder), $0.manifest.data ?? [:]) }
    numbers = Dictionary(scenes.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// - Parameter decoded: nil for bytes of something else.
  /// - Returns: nil where the scene is still to be looked at.
  /// - Throws: `FathomError` where a shard is damaged, or the data have changed since.
  func find<Found>(
    _ scene: String, in file: RunInputs.File, _ decoded: (Data) -> Found?
  ) async throws(FathomError) -> Found? {
    guard let number = numbers[scene] else { return nil }
    if shards.isEmpty { return try work?.found(Self.name(number)).flatMap { decoded(Data($0)) } }
    let digest = try await file.digests.whole
    for shard in shards where shard.data[number] == digest {
      if let found = try shard.folder.found(Self.name(number)).flatMap({ decoded(Data($0)) }) { return found }
    }
    throw FathomError(
      .badData, attempted: "merge", place: file.path,
      reason: "its bytes have changed since the shard was made",
      advice: "restore it, or make the shards again")
  }

  /// Keeps what was found in a scene, where that is wanted.
  /// - Parameter inputs: What is kept must be of the bytes that their digests say.
  /// - Parameter kept: Called when it is kept.
  func keep(
    _ found: @autoclosure () throws -> Data, of scene: String, from inputs: RunInputs, kept: () throws -> Void
  ) throws {
    guard let work, let number = numbers[scene] else { return }
    try inputs.requireUnchanged()
    try work.keep(Array(found()), as: Self.name(number))
    try kept()
  }

  /// Digests of the data that the scenes of a part lie in, by number.
  func digests(_ inputs: RunInputs) async throws(FathomError) -> [Int: String] {
    var digests: [Int: String] = [:]
    for file in inputs.files {
      let digest = try await file.digests.whole
      for scene in file.scenes { if let number = numbers[scene.name] { digests[number] = digest } }
    }
    return digests
  }

  private static func name(_ number: Int) -> String { "scene-\(number).found" }
}
