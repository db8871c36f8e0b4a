import FathomTables
import DepthCalibration
import DepthDataset
import DepthEvaluation
import Foundation
import FathomStorage

/// Where the measured scenes of a calibration are kept and found: in the folder of an unfinished one or of a part, or in parts.
package struct CalibrationStore {
  private enum Place {
    case folder(SceneCheckpoint)
    case parts(PartSet)
  }

  /// What was found in a scene.
  private struct Scene: Codable {
    let errors: SceneErrors.Stored
    let alignment: SceneAlignment.Stored
  }

  private let place: Place
  /// Among all scenes of the job, by name.
  private let numbers: [String: Int]

  package init(_ checkpoint: SceneCheckpoint, of inputs: RunInputs) {
    self.init(.folder(checkpoint), inputs)
  }

  package init(_ parts: PartSet, of inputs: RunInputs) { self.init(.parts(parts), inputs) }

  private init(_ place: Place, _ inputs: RunInputs) {
    self.place = place
    numbers = Dictionary(inputs.allScenes.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  /// - Parameter scene: With its kind resolved, and the truth that the LiDAR is held against.
  /// - Returns: nil where it is still to be measured.
  /// - Throws: `FathomError` where a part is damaged, or the data have changed since.
  func find(
    _ scene: SceneContext, in file: RunInputs.File, _ plan: CalibrationPlan
  ) async throws(FathomError) -> (SceneErrors, SceneAlignment)? {
    guard let number = numbers[scene.name] else { return nil }
    switch place {
    case .folder(let checkpoint):
      return try checkpoint.data(number).flatMap { Self.decoded($0, scene, plan) }
    case .parts(let parts):
      let digest = try await file.digests.whole
      guard let found = try parts.found(number), found.digest == digest,
        let known = Self.decoded(found.data, scene, plan)
      else { throw parts.changed(file.path) }
      return known
    }
  }

  private static func decoded(
    _ data: Data, _ context: SceneContext, _ plan: CalibrationPlan
  ) -> (SceneErrors, SceneAlignment)? {
    guard let scene: Scene = try? CanonicalJSON.value(from: String(decoding: data, as: UTF8.self)),
      let errors = SceneErrors(scene.errors, of: context, plan: plan)
    else { return nil }
    return (errors, SceneAlignment(scene.alignment, of: context))
  }

  func keep(_ errors: SceneErrors, _ alignment: SceneAlignment, of scene: String) throws {
    guard case .folder(let checkpoint) = place, let number = numbers[scene] else { return }
    let text = try CanonicalJSON.text(
      Scene(errors: errors.stored, alignment: alignment.stored), isPretty: false, spellsNonFinite: true)
    try checkpoint.keep(Data(text.utf8), as: number)
  }
}

/// Everything that determines what a calibration finds in a scene.
private struct CalibrationTask: Codable {
  let version: String
  let plan: CalibrationPlan
  let truth: String
  /// Digests of the data sets; of a part their names, because it does not read them all.
  let files: [String]
  let scenes: [String]
  let frames: String?
}

extension CalibrateJob {
  /// Everything that determines what is found in a scene.
  package func task(_ inputs: RunInputs) async throws -> String {
    var digests: [String] = []
    for file in inputs.files { digests.append(try await file.digests.whole) }
    return try task(inputs, files: digests)
  }

  /// The same of a part, which reads the headers of the other data sets only.
  package func taskOfParts(_ inputs: RunInputs) throws -> String {
    try task(inputs, files: inputs.outlines.map(\.file))
  }

  private func task(_ inputs: RunInputs, files: [String]) throws -> String {
    try CanonicalJSON.text(
      CalibrationTask(
        version: Version.current, plan: plan, truth: truth.rawValue, files: files,
        scenes: inputs.allScenes.map(\.name), frames: data.frames?.description), isPretty: false)
  }

  /// Measures the scenes of the part.
  ///
  /// - Returns: Digest of the data that each lies in, by its number.
  package func fill(
    _ checkpoint: SceneCheckpoint, _ inputs: RunInputs, _ observe: JobObserver
  ) async throws -> [Int: String] {
    let store = CalibrationStore(checkpoint, of: inputs)
    _ = try await CalibrationInputs(
      inputs, plan: plan, truth: truth, jobs: jobs, store: store, needsErrors: false, observe)
    try inputs.requireUnchanged()
    var digests: [Int: String] = [:]
    for (number, scene) in inputs.allScenes.enumerated() {
      guard let file = inputs.files.first(where: { $0.scenes.contains { $0.name == scene.name } }),
        try checkpoint.data(number) != nil
      else { continue }
      digests[number] = try await file.digests.whole
    }
    return digests
  }

  /// Makes a calibration of what parts measured.
  ///
  /// - Throws: `FathomError` where they are of another calibration, or the data have changed since.
  package func run(
    _ inputs: RunInputs, merging parts: PartSet, _ observe: JobObserver
  ) async throws -> CalibrateResult {
    try parts.requireTask(try taskOfParts(inputs))
    return try await run(inputs, store: CalibrationStore(parts, of: inputs), observe)
  }
}
