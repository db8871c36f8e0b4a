import FathomTables
import DepthCalibration
import DepthDataset
import DepthEvaluation
import Foundation
import FathomStorage

/// A calibration whose data sets are open.
package struct OpenCalibration {
  /// What was found in a scene, as it is kept.
  private struct Scene: Codable { let errors: SceneErrors.Stored, alignment: SceneAlignment.Stored }

  /// What `measuring.json` holds: everything that determines what is found in a scene, data included.
  private struct Fingerprint: Codable {
    /// The build: ``Version/name``.
    let version: String
    let plan: CalibrationPlan, truth: String
    let files: [String]  // Digests of the data sets.
    let scenes: [String], frames: String?
  }

  package var name: String { inputs.name }
  private let job: CalibrateJob
  let inputs: RunInputs
  private let shards: [Shard<CalibrateTask>]  // All shards, where they are merged.

  /// - Parameter shards: All of the calibration, for their merge.
  /// - Throws: `FathomError` where the data cannot be read, or the shards are of another calibration.
  init(
    _ job: CalibrateJob, part: ScenePart? = nil, merging shards: [Shard<CalibrateTask>] = [],
    _ observe: JobObserver
  ) throws {
    (self.job, self.shards) = (job, shards)
    inputs = try RunInputs(job.data, part: part, hashesAhead: part == nil, rules: job.plan.rules, observe)
    try shards.first?.require(task)
  }

  /// Everything that determines what is found, but for the bytes of the data.
  var task: CalibrateTask { get throws(FathomError) { try CalibrateTask(job, inputs) } }

  /// The same, data included: what `measuring.json` holds.
  package var fingerprint: String {
    get async throws {
      try CanonicalJSON.text(
        Fingerprint(
          version: Version.name, plan: job.plan, truth: job.truth.rawValue, files: await inputs.wholeDigests,
          scenes: sceneNames, frames: job.data.frames?.description), isPretty: false)
    }
  }

  private var sceneNames: [String] { inputs.allScenes.map(\.name) }

  /// - Parameter work: Where measured scenes are kept and found; nil to keep none.
  /// - Parameter kept: Called when another one is.
  /// - Throws: `FathomError`, also where the data have changed since the shards were made.
  package func run(
    in work: WorkFolder? = nil, kept: () throws -> Void = {}, _ observe: JobObserver
  ) async throws -> CalibrateResult {
    let measured = try await measure(results(in: work), kept: kept, observe)
    return try await job.result(of: measured, inputs, observe)
  }

  /// Measures the scenes of the part that a folder does not hold.
  /// - Returns: Digest of the data that each lies in, by its number.
  func fill(
    _ work: WorkFolder, kept: () throws -> Void, _ observe: JobObserver
  ) async throws -> [Int: String] {
    let results = results(in: work)
    _ = try await measure(results, needsErrors: false, kept: kept, observe)
    try inputs.requireUnchanged()
    return try await results.digests(inputs)
  }

  private func results(in work: WorkFolder?) -> SceneResults {
    SceneResults(in: work, of: shards, scenes: sceneNames)
  }

  private func measure(
    _ known: SceneResults, needsErrors: Bool = true, kept: () throws -> Void, _ observe: JobObserver
  ) async throws -> CalibrationInputs {
    let plan = job.plan
    return try await CalibrationInputs(
      inputs, plan: plan, truth: job.truth, jobs: job.jobs, needsErrors: needsErrors, observe
    ) { context, file in
      try await known.find(context.name, in: file) { data in
        guard let scene: Scene = try? CanonicalJSON.value(from: String(decoding: data, as: UTF8.self)),
          let errors = SceneErrors(scene.errors, of: context, plan: plan)
        else { return nil }
        return (errors, SceneAlignment(scene.alignment, of: context))
      }
    } measured: { errors, alignment, scene in
      try known.keep(
        Data(
          CanonicalJSON.text(
            Scene(errors: errors.stored, alignment: alignment.stored), isPretty: false, spellsNonFinite: true
          ).utf8), of: scene, from: inputs, kept: kept)
    }
  }
}
