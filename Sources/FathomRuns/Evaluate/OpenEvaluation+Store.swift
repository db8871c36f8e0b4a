import DepthCore
import DepthDataset
import DepthDiagnosis
import DepthEvaluation
import DepthVerdicts
package import FathomStorage

/// Evaluations that keep their scenes on disk: those that can be resumed, and shards.
extension OpenEvaluation {
  /// Evaluates the scenes of the job's part, and writes its shard; see ``EvaluateJob/writeShard(_:to:resume:overwrite:_:)``.
  /// - Parameter finish: Writes what the folder holds beside scenes.
  package func writeShard(
    _ part: ScenePart, to path: String, resume: Bool, overwrite: Bool,
    finish: (borrowing AtomicFolder) throws -> Void = { _ in }, _ observe: JobObserver
  ) async throws -> Bool {
    try await task.writeShard(
      part, of: inputs, to: path, resume: resume, overwrite: overwrite, finish: finish
    ) { work, kept in
      try await fill(SceneStore(work), kept: kept, observe)
      return nil
    }
  }

  /// Evaluates the scenes that a store does not hold, and keeps what is found there.
  /// - Parameter kept: Called when another scene is kept.
  func fill(_ store: SceneStore, kept: () throws -> Void, _ observe: JobObserver) async throws {
    var broken: Set<String> = []
    var diagnoses = DiagnosesBeside<SceneStore.Place>(seed: plan.seed, jobs: job.jobs)
    func keep(_ done: DiagnosesBeside<SceneStore.Place>.Done?) throws {
      guard let done else { return }
      // What is kept must not be of other data than it says.
      try inputs.requireUnchanged()
      try store.keep(done.findings, done.place)
      done.entry?.keep(done.findings)
    }
    observe(.began(stage, steps: frameCount))
    // The first part looks after what has no scenes.
    for fault in inputs.faults where job.part.map({ $0.number == 1 }) ?? true {
      let position = task.inputs.firstIndex { $0.label == fault.name } ?? 0
      try store.keep(SceneStore.Input(manifest: inputs.manifest(of: fault), data: nil), position)
    }
    for (number, file) in inputs.files.enumerated() {
      if number + 1 < inputs.files.count { inputs.files[number + 1].beginHashing() }
      let data = try await file.digests.whole
      try store.keep(SceneStore.Input(manifest: try await file.manifest(), data: data), file.position)
      var rest = try places(in: file).filter { located in
        guard let known = try store.scene(located.place), known.data == data, known.isFinished else {
          return true
        }
        for _ in job.data.range(of: located.scene.header) { observe(.advanced) }
        return false
      }[...]
      while let located = rest.popFirst() {
        let singles = [located] + rest.prefix(SceneStore.stretch - 1).prefix { isSingle($0.scene) }
        if singles.count > 1, isSingle(located.scene) {
          let (done, failure) = try await find(
            singles, data: data, store, try await self.kept(of: file), observe)
          if done > 0 { try kept() }
          rest = (singles[done...] + rest.dropFirst(singles.count - 1))[...]
          guard let failure else { continue }
          guard let unread = rest.first, failure.position == done else { throw failure.error }
          let fault = try fault(failure.error, in: file, observe)
          try store.keep(
            SceneStore.Scene(
              context: unread.scene, data: data, rows: [], isFinished: false, leftOut: nil,
              failure: fault.reason), unread.place)
          broken.insert(file.label)
          rest.removeFirst()
          continue
        }
        let (found, seen) = try await find(located, data: data, store, kept: kept, observe)
        // What is kept must not be of other data than it says.
        try inputs.requireUnchanged()
        try store.keep(found, located.place)
        if found.failure != nil { broken.insert(file.label) }
        try kept()
        if job.diagnoses, found.failure == nil {
          let header = located.scene.header
          let entry = try await self.kept(of: file)?.entry(header.name)
          try keep(
            try await diagnoses.begin(located.place, entry, isLast: isLast(header, of: file)) {
              () throws(FathomError) in try SceneSample(header, from: file.source, seen: seen)
            })
        }
      }
    }
    guard job.diagnoses else { return }
    try keep(await diagnoses.finish())
    var open: [Located] = []
    for located in places(leavingOut: broken) where try store.findings(located.place) == nil {
      open.append(located)
    }
    observe(.began(.diagnosing, steps: open.count))
    try await SceneDiagnoses.diagnose(
      open.map { ($0.scene.header, $0.file.source) }, seed: plan.seed, jobs: job.jobs
    ) { index, diagnosis in
      try store.keep(diagnosis.findings, open[index].place)
      observe(.advanced)
    }
    try inputs.requireUnchanged()
    job.cache?.prune()
  }

  /// Evaluates scenes of one frame, and keeps what is found.
  /// - Returns: How many were done, and which one could not be read.
  private func find(
    _ singles: [Located], data: String, _ store: SceneStore, _ kept: DiagnosisCache.OfData?,
    _ observe: JobObserver
  ) async throws -> (done: Int, failure: (position: Int, error: FathomError)?) {
    var found: [(scene: SceneStore.Scene, findings: [Finding]?)] = []
    var unkept: [(entry: DiagnosisCache.Entry, findings: [Finding])] = []
    let failure = try await evaluate(
      singles: singles.map(\.scene), from: singles[0].file.source, kept, observe
    ) { (position, single) throws(FathomError) in
      let place = singles[position].place
      var rows = try store.rows(place)
      _ = try rows.take(single.rows, single.objects)
      let scene = SceneStore.Scene(
        context: singles[position].scene, data: data, rows: try rows.finish(), isFinished: true,
        leftOut: single.leftOut, failure: nil)
      found.append((scene, single.findings))
      if let entry = single.entry, let findings = single.findings { unkept.append((entry, findings)) }
    }
    // What is kept must not be of other data than it says.
    try inputs.requireUnchanged()
    for (located, (scene, findings)) in zip(singles, found) {
      try store.keep(scene, located.place)
      if let findings { try store.keep(findings, located.place) }
    }
    for (entry, findings) in unkept { entry.keep(findings) }
    return (found.count, failure)
  }

  /// Evaluates a scene, and keeps its stretches; those of an earlier evaluation are not evaluated again.
  /// - Throws: `FathomError` where the store cannot be written, or a frame cannot be read and the job does not keep going.
  private func find(
    _ located: Located, data: String, _ store: SceneStore, kept: () throws -> Void, _ observe: JobObserver
  ) async throws -> (scene: SceneStore.Scene, seen: SeenFrames) {
    var stretches = try store.scene(located.place).flatMap { $0.data == data ? $0.rows : nil } ?? []
    let done = stretches.count * SceneStore.stretch
    for _ in 0..<done { observe(.advanced) }
    var scene = located.scene
    var rows = try store.rows(located.place, after: stretches)
    func found(
      _ scene: SceneContext, _ digests: [String], isFinished: Bool = false, leftOut: String? = nil,
      failure: String? = nil
    ) -> SceneStore.Scene {
      SceneStore.Scene(
        context: scene, data: data, rows: digests, isFinished: isFinished, leftOut: leftOut, failure: failure)
    }
    // Of the store: another frame could be read.
    var failure: (any Error)?
    do throws(FathomError) {
      let available = try detections(of: scene, in: located.file.source)
      let seen = try await evaluate(&scene, after: done, available, from: located.file.source, observe) {
        (frame, objects) throws(FathomError) in
        do {
          guard try rows.take(frame, objects) else { return }
          try inputs.requireUnchanged()
          stretches = rows.digests
          try store.keep(found(located.scene, stretches), located.place)
          try kept()
        } catch {
          failure = error
          throw error as? FathomError
            ?? FathomError(
              .inputOutput, attempted: "keep", place: located.scene.name, reason: "\(error)",
              advice: "try again")
        }
      }
      do throws(FathomError) {
        return (found(scene, try rows.finish(), isFinished: true, leftOut: available.reason), seen)
      } catch {
        failure = error
        throw error
      }
    } catch {
      if let failure { throw failure }
      let fault = try fault(error, in: located.file, observe)
      return (found(located.scene, stretches, failure: fault.reason), SeenFrames())
    }
  }
}
