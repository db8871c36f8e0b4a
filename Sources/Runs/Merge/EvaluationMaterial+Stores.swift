import DepthCore
import DepthDiagnosis
import DepthEvaluation
import DepthReport
import Storage

/// Where what was found of a data set is kept.
struct StoredInput {
  let outline: InputOutline
  /// Its place in the task of its stores.
  let position: Int
  /// Looks after the data set as such.
  let keeper: SceneStore
  /// Of its scenes, one each.
  let stores: [SceneStore]
}

extension EvaluationMaterial {
  /// What parts of a task found, put together in the order of the task.
  ///
  /// - Parameters:
  ///   - stored: The data sets of the task, in its order.
  ///   - names: Names of the scenes of each data set in the run; nil for those that they had when they were evaluated.
  /// - Throws: `FathomError` where a scene is missing or damaged.
  init(_ task: EvaluationTask, from stored: [StoredInput], names: [[String]]? = nil) throws {
    var scenes: [SceneContext] = []
    var headers: [SceneHeader] = []
    var recorder = RunRecorder()
    var leftOut: [ObjectResults.LeftOut] = []
    var unreadable = task.inputs.filter { $0.fault != nil }.map {
      UnreadableFile(name: $0.label, reason: $0.fault ?? "")
    }
    var manifests: [RunManifest.Input] = []
    var (data, positions) = ([String: String](), [String: Int]())
    var digests: [String] = []
    var diagnoses: [(name: String, findings: [Finding])] = []
    for (position, (input, stored)) in zip(task.inputs, stored).enumerated() {
      let places = input.scenes.indices.map { SceneStore.Place(input: stored.position, scene: $0) }
      guard let known = try (stored.stores.first ?? stored.keeper).input(stored.position) else {
        throw Self.lacking("what was read of \(input.file)")
      }
      var manifest = known.manifest
      if input.fault == nil { digests.append(known.data ?? "") }
      var found: [(scene: SceneStore.Scene, findings: [Finding]?)] = []
      var failure: String?
      for (store, place) in zip(stored.stores, places) {
        guard var scene = try store.scene(place) else {
          throw Self.lacking("scene '\(input.scenes[place.scene].name)' of \(input.file)")
        }
        guard scene.data == known.data else {
          throw FathomError(
            .badData, attempted: "merge", place: input.file,
            reason: "its bytes changed between the shards", advice: "evaluate all shards again")
        }
        if let names { scene.context.name = names[position][place.scene] }
        headers.append(scene.context.header)
        (data[scene.context.name], positions[scene.context.name]) = (scene.data, position)
        if failure == nil { failure = scene.failure }
        guard failure == nil else { continue }
        try store.read(place, as: scene.context.name) { (rows, objects) throws(FathomError) in
          try recorder.take(rows, objects)
        }
        scenes.append(scene.context)
        if let reason = scene.leftOut {
          leftOut.append(ObjectResults.LeftOut(scene: scene.context.name, reason: reason))
        }
        found.append((scene, try store.findings(place)))
      }
      if let failure {
        unreadable.append(UnreadableFile(name: input.label, reason: failure))
        manifest.unreadable = failure
      } else if task.diagnoses {
        for (scene, findings) in found {
          guard let findings else { throw Self.lacking("the diagnosis of scene '\(scene.context.name)'") }
          diagnoses.append((scene.context.name, findings))
        }
      }
      manifests.append(manifest)
    }
    self.init(
      task: task, plan: task.plan(headers), scenes: scenes, records: try recorder.finished(),
      leftOut: leftOut, unreadable: unreadable, inputs: manifests, data: data, positions: positions,
      hasEqualData: Set(digests).count < digests.count,
      diagnosis: task.diagnoses ? DiagnosisSection(diagnoses) : nil)
  }

  private static func lacking(_ what: String) -> FathomError {
    FathomError(
      .badData, attempted: "merge", place: what, reason: "no shard holds it",
      advice: "evaluate the shards again")
  }
}
