import FathomRunFolders
import DepthCore
import DepthDiagnosis
import DepthEvaluation
import DepthVerdicts
import FathomStorage

/// Where what was found of a data set is kept.
struct StoredInput {
  let outline: InputOutline
  let position: Int  // Its place in the task of its stores.
  let keeper: SceneStore  // Looks after the data set as such.
  let stores: [SceneStore]  // Of its scenes, one each.
}

extension EvaluationMaterial {
  /// What parts of a task found, put together in the order of the task.
  /// - Parameter stored: The data sets of the task, in its order.
  /// - Parameter names: Names of the scenes of each data set in the run; nil for those that they had when they were evaluated.
  /// - Throws: `FathomError` where a scene is missing or damaged.
  init(_ task: EvaluationTask, from stored: [StoredInput], names: [[String]]? = nil) throws {
    var gathering = Gathering()
    for (position, (input, stored)) in zip(task.inputs, stored).enumerated() {
      try gathering.add(input, stored, at: position, names: names?[position], needsDiagnosis: task.diagnoses)
    }
    let faults = task.inputs.compactMap { input in
      input.fault.map { UnreadableFile(name: input.label, reason: $0) }
    }
    let found = gathering.found
    self.init(
      task: task, plan: task.plan(found.headers), scenes: found.scenes,
      records: try gathering.recorder.finished(), leftOut: found.leftOut,
      unreadable: faults + found.unreadable, inputs: found.inputs, data: found.data,
      positions: found.positions, hasEqualData: Set(found.digests).count < found.digests.count,
      diagnosis: task.diagnoses ? RunDiagnosis(found.diagnoses) : nil)
  }
}

/// Takes in what stores hold, data set by data set.
private struct Gathering: ~Copyable {
  struct Found {
    var scenes: [SceneContext] = []
    var headers: [SceneHeader] = []  // Of all scenes, those that could not be read included.
    var leftOut: [ObjectResults.LeftOut] = [], unreadable: [UnreadableFile] = []
    var inputs: [RunManifest.Input] = []
    var digests: [String] = []  // Of the data sets that could be opened.
    var data: [String: String] = [:], positions: [String: Int] = [:]  // By the scene's name in the run.
    var diagnoses: [(name: String, findings: [Finding])] = []
  }

  var found = Found(), recorder = RunRecorder()

  /// - Throws: `FathomError` where a scene is missing or damaged.
  mutating func add(
    _ input: InputOutline, _ stored: StoredInput, at position: Int, names: [String]?, needsDiagnosis: Bool
  ) throws(FathomError) {
    guard let known = try (stored.stores.first ?? stored.keeper).input(stored.position) else {
      throw Self.lacking("what was read of \(input.file)")
    }
    if input.fault == nil { found.digests.append(known.data ?? "") }
    var failure: String?
    var diagnoses: [(name: String, findings: [Finding])] = []
    for (number, store) in stored.stores.enumerated() {
      let place = SceneStore.Place(input: stored.position, scene: number)
      guard var scene = try store.scene(place), scene.isFinished || scene.failure != nil else {
        throw Self.lacking("scene '\(input.scenes[number].name)' of \(input.file)")
      }
      guard scene.data == known.data else {
        throw FathomError(
          .badData, attempted: "merge", place: input.file,
          reason: "its bytes changed between the shards", advice: "evaluate all shards again")
      }
      if let names { scene.context.name = names[number] }
      let name = scene.context.name
      found.headers.append(scene.context.header)
      (found.data[name], found.positions[name]) = (scene.data, position)
      failure = failure ?? scene.failure
      // A data set is skipped from the first scene on that could not be read.
      guard failure == nil else { continue }
      try store.read(scene, place) { (rows, objects) throws(FathomError) in try recorder.take(rows, objects) }
      found.scenes.append(scene.context)
      if let reason = scene.leftOut {
        found.leftOut.append(ObjectResults.LeftOut(scene: name, reason: reason))
      }
      if let findings = try store.findings(place) { diagnoses.append((name, findings)) }
    }
    var manifest = known.manifest
    if let failure {
      found.unreadable.append(UnreadableFile(name: input.label, reason: failure))
      manifest.unreadable = failure
    } else if needsDiagnosis {
      guard diagnoses.count == stored.stores.count else {
        throw Self.lacking("the diagnosis of a scene of \(input.file)")
      }
      found.diagnoses += diagnoses
    }
    found.inputs.append(manifest)
  }

  private static func lacking(_ what: String) -> FathomError {
    FathomError(
      .badData, attempted: "merge", place: what, reason: "no shard holds it",
      advice: "evaluate the shards again")
  }
}
