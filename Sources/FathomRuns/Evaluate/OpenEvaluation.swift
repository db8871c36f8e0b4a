import DepthEvaluation
import FathomPlainText
package import FathomRunFolders
import FathomStorage
import DepthCore
import DepthDataset
import DepthDiagnosis
import DepthFusion
package import DepthVerdicts

/// An evaluation whose data sets are open.
package struct OpenEvaluation {
  package let name: String
  package let task: EvaluationTask  // What determines what is found.
  let job: EvaluateJob, inputs: RunInputs, plan: EvaluationPlan

  init(_ job: EvaluateJob, _ observe: JobObserver) throws {
    var job = job
    inputs = try RunInputs(
      job.data, keepsGoing: job.keepsGoing, part: job.part, hashesAhead: !job.keepsScenes,
      rules: job.plan.rules, observe)
    name = inputs.name
    // Conventions are found by the LiDAR.
    let scenes = inputs.allScenes
    if !scenes.isEmpty, !scenes.contains(where: \.header.hasLidar) { job.diagnoses = false }
    self.job = job
    var plan = job.plan
    let baseline = try plan.adapt(to: inputs.allScenes, baseline: job.baseline)
    plan.methods = try inputs.resolve(plan.methods)
    plan.named = plan.named.isEmpty ? [] : try inputs.resolve(plan.named)
    try plan.settleAlignment(for: inputs.allScenes)
    if let word = plan.unknownObjectDepth {
      throw OptionProblem(
        "object-depths",
        "'\(word)' is not among the methods of this run; add it to \(option: "methods"), or choose lidar or truth"
      )
    }
    let depths = plan.objectDepths
    plan.objects?.depths = depths
    let total = inputs.allScenes.reduce(0) { $0 + job.data.range(of: $1.header).count }
    if let frames = job.data.frames, total == 0, !inputs.allScenes.isEmpty {
      let most = inputs.allScenes.map(\.header.frameCount).max() ?? 0
      throw OptionProblem(
        "frames",
        "no scene has a frame in \(frames); the longest has \(counted(most, "frame")), counted from 0")
    }
    task = try EvaluationTask(job, plan, baseline: baseline, inputs)
    let headers = inputs.allScenes.map(\.header)
    plan = task.plan(headers)
    if job.comparesNeighbours { plan.paths = ProtocolPaths(neighboursOf: plan.rules, headers) }
    self.plan = plan
  }

  /// What kept the readers of the data from doing anything else.
  package var protections: [String] { inputs.protections }
  package var dropped: [DroppedParts] { inputs.dropped }  // What is skipped of recordings.
  package var warnings: [String] { task.warnings }  // Why data are probably not what they are said to be.

  /// - Parameter work: Where finished scenes are kept, and those of an earlier evaluation are found; nil to keep none.
  /// - Parameter kept: Called when another one is.
  /// - Parameter check: Rejects impossible values.
  package func run(
    in work: WorkFolder? = nil, kept: () throws -> Void = {},
    check: (EvaluationRun) -> CheckedRun = { CheckedRun($0) }, _ observe: JobObserver
  ) async throws -> EvaluateResult {
    let material: EvaluationMaterial
    if let store = work.map(SceneStore.init) {
      try await fill(store, kept: kept, observe)
      material = try EvaluationMaterial(
        task,
        from: task.inputs.enumerated().map { position, input in
          StoredInput(
            outline: input, position: position, keeper: store, stores: input.scenes.map { _ in store })
        })
    } else {
      material = try await evaluate(observe)
    }
    var result = try material.result(jobs: job.jobs, check: check, observe)
    try inputs.requireUnchanged()
    result.data = inputs.data
    let inputs = inputs
    result.frames = RunFrames { scene in
      inputs.files.first { $0.scenes.contains { $0.name == scene } }.map { .open($0.source) }
    } check: { () throws(FathomError) in
      try inputs.requireUnchanged()
    }
    return result
  }
}

// MARK: - In memory

extension OpenEvaluation {
  /// Without a LiDAR nothing is fused.
  var stage: JobStage { ComparisonBasis(inputs.allScenes).hasLidar ? .fusing : .scoring }

  /// One file, scene and frame at a time.
  /// - Throws: `FathomError` where a frame cannot be read, unless the job keeps going: the file is then skipped from
  ///   that scene on.
  private func evaluate(_ observe: JobObserver) async throws -> EvaluationMaterial {
    var scenes: [SceneContext] = []
    var recorder = RunRecorder()
    var leftOut: [ObjectResults.LeftOut] = []
    var unreadable = inputs.faults
    var found: [(name: String, file: String, findings: [Finding])] = []
    var unkept: [(entry: DiagnosisCache.Entry, findings: [Finding])] = []
    func add(_ name: String, _ file: String, _ findings: [Finding], _ entry: DiagnosisCache.Entry?) {
      found.append((name, file, findings))
      if let entry { unkept.append((entry, findings)) }
    }
    func add(_ done: DiagnosesBeside<(name: String, file: String)>.Done?) {
      if let done { add(done.place.name, done.place.file, done.findings, done.entry) }
    }
    var diagnoses = DiagnosesBeside<(name: String, file: String)>(seed: plan.seed, jobs: job.jobs)
    observe(.began(stage, steps: frameCount))
    for file in inputs.files {
      do throws(FathomError) {
        var rest = file.scenes[...]
        while var scene = rest.popFirst() {
          let singles = [scene] + rest.prefix(while: isSingle)
          if singles.count > 1, isSingle(scene) {
            rest.removeFirst(singles.count - 1)
            add(await diagnoses.finish())
            let failure = try await evaluate(
              singles: singles, from: file.source, try await kept(of: file), observe
            ) {
              (position, single) throws(FathomError) in
              try recorder.take(single.rows, single.objects)
              let scene = singles[position]
              scenes.append(scene)
              if let reason = single.leftOut {
                leftOut.append(ObjectResults.LeftOut(scene: scene.name, reason: reason))
              }
              if let findings = single.findings { add(scene.name, file.label, findings, single.entry) }
            }
            if let failure { throw failure.error }
            continue
          }
          let available = try detections(of: scene, in: file.source)
          let begin = try recorder.mark()
          let header = scene.header
          let seen: SeenFrames
          do throws(FathomError) {
            seen = try await evaluate(&scene, available, from: file.source, observe) {
              (rows, objects) throws(FathomError) in try recorder.take(rows, objects)
            }
          } catch {
            recorder.remove(after: begin)
            throw error
          }
          scenes.append(scene)
          if let reason = available.reason {
            leftOut.append(ObjectResults.LeftOut(scene: scene.name, reason: reason))
          }
          guard job.diagnoses else { continue }
          let entry = try await kept(of: file)?.entry(header.name)
          add(
            try await diagnoses.begin((scene.name, file.label), entry, isLast: isLast(header, of: file)) {
              () throws(FathomError) in try SceneSample(header, from: file.source, seen: seen)
            })
        }
      } catch {
        if let full = recorder.failure { throw full }
        unreadable.append(try fault(error, in: file, observe))
      }
    }
    let records = try recorder.finished()
    var diagnosis: RunDiagnosis?
    if job.diagnoses {
      observe(.began(.diagnosing, steps: scenes.count))
      for _ in found { observe(.advanced) }
      if let done = await diagnoses.finish() {
        add(done)
        observe(.advanced)
      }
      try inputs.requireUnchanged()
      for (entry, findings) in unkept { entry.keep(findings) }
      job.cache?.prune()
      let broken = Set(unreadable.map(\.name))
      diagnosis = RunDiagnosis(found.filter { !broken.contains($0.file) }.map { ($0.name, $0.findings) })
    }
    return EvaluationMaterial(
      task: task, plan: plan, scenes: scenes, records: records, leftOut: leftOut, unreadable: unreadable,
      inputs: try await inputs.manifest(unreadable), data: try await inputs.dataDigests,
      positions: inputs.positions, hasEqualData: try await inputs.haveEqualData, diagnosis: diagnosis)
  }

  /// What earlier runs kept of the conventions of a data set; nil where nothing is kept.
  func kept(of file: RunInputs.File) async throws(FathomError) -> DiagnosisCache.OfData? {
    // A changed map is not what the digest is of.
    guard let cache = job.cache, job.diagnoses, job.data.adjustment == nil else { return nil }
    return DiagnosisCache.OfData(
      cache: cache, data: try await file.digests.whole, truth: job.data.truth, seed: plan.seed)
  }

  var frameCount: Int {
    inputs.files.reduce(0) { sum, file in
      sum + file.scenes.reduce(0) { $0 + job.data.range(of: $1.header).count }
    }
  }

  func isLast(_ scene: SceneHeader, of file: RunInputs.File) -> Bool {
    file.position == inputs.files.last?.position && scene.name == file.scenes.last?.header.name
  }

  /// What is skipped because of an error.
  /// - Throws: The error, unless the job keeps going; always where the machine is at fault: another try may read the file.
  func fault(
    _ error: FathomError, in file: RunInputs.File, _ observe: JobObserver
  ) throws(FathomError) -> UnreadableFile {
    guard job.keepsGoing, error.kind.blamesInput else { throw error }
    observe(.noticed(.unreadable(error)))
    return UnreadableFile(name: file.label, reason: RunInputs.portable(error.onCommandLine, file.path))
  }

  func detections(
    of scene: SceneContext, in source: borrowing some FrameSource & ~Copyable
  ) throws(FathomError) -> SceneDetections.Availability {
    guard let objects = plan.objects else { return .none }
    return try SceneDetections.find(in: scene.header, source, plan: objects)
  }

  /// - Parameter done: How many of its frames were evaluated before.
  /// - Returns: What a diagnosis wants of the frames.
  func evaluate(
    _ scene: inout SceneContext, after done: Int = 0, _ available: SceneDetections.Availability,
    from source: borrowing some FrameSource & ~Copyable, _ observe: JobObserver,
    take: ([FrameRecord], FrameObjects) throws(FathomError) -> Void
  ) async throws(FathomError) -> SeenFrames {
    let header = scene.header
    let arrays = plan.arrays
    var seen = job.diagnoses ? SeenFrames(of: header, including: arrays) : SeenFrames()
    let (frames, jobs) = (job.data.range(of: header), jobs(for: header))
    var ahead = FrameBatches(
      of: header, before: frames.upperBound, including: arrays, from: source, jobs: jobs)
    try await plan.evaluateObjects(
      &scene, frames: frames, after: done, jobs: jobs, progress: { observe(.advanced) }
    ) { (index) throws(FathomError) in
      let frame = try ahead.frame(index, from: source)
      seen.see(frame)
      return frame
    } detections: { (index) throws(FathomError) in
      guard case .usable(let detections) = available else { return nil }
      return try detections.frame(index, from: source)
    } take: { (rows, objects) throws(FathomError) in
      try take(rows, objects)
    }
    observe(.finished(scene: scene.name, frames: job.data.range(of: header).count))
    return seen
  }

  /// Frames that are worked on at once: no more than fit into the memory.
  func jobs(for scene: SceneHeader) -> Int {
    guard let most = job.maxMemory else { return job.jobs }
    return max(1, min(job.jobs, (most - Self.ownMemory) / bytes(ofFrame: scene)))
  }

  private static let ownMemory = 256 << 20  // What the process takes without frames.

  /// What a frame takes while it is worked on, with the maps of all methods; about.
  private func bytes(ofFrame scene: SceneHeader) -> Int {
    let truth = scene.truthSize?.count ?? 0
    // Fused maps are kept at the relative map's size; truth pixels have their reference and errors.
    let map = max(scene.relativeSize?.count ?? 0, scene.predictions.map(\.size.count).max() ?? 0)
    let maps = plan.methods.count + scene.predictions.count + 2
    let image = plan.needsImage ? scene.colourSize?.count ?? 0 : 0
    return max(1, maps * map * MemoryLayout<Float>.size + truth * 24 + image * MemoryLayout<RGB>.size)
  }

  struct Located { let file: RunInputs.File, scene: SceneContext, place: SceneStore.Place }

  /// Scenes and where they lie.
  func places(leavingOut unreadable: Set<String>) -> [Located] {
    inputs.files.filter { !unreadable.contains($0.label) }.flatMap(places)
  }

  func places(in file: RunInputs.File) -> [Located] {
    let names = task.inputs[file.position].scenes.map(\.name)
    return file.scenes.map { scene in
      Located(
        file: file, scene: scene,
        place: SceneStore.Place(input: file.position, scene: names.firstIndex(of: scene.header.name) ?? 0))
    }
  }
}

extension RunInputs {
  /// The methods with "stored" replaced by the predictions that the scenes hold.
  /// - Throws: `OptionProblem` for a prediction that no scene holds.
  fileprivate func resolve(_ methods: [MethodSelection]) throws(OptionProblem) -> [MethodSelection] {
    let names = allScenes.flatMap { $0.header.predictions.map(\.name) }.firstAppearances
    let isReadable = outlines.contains { $0.fault == nil }
    var found: [MethodSelection] = []
    for selection in methods {
      let resolved = selection.resolved(stored: names)
      if let name = selection.storedName, resolved.isEmpty, isReadable {
        throw OptionProblem(
          "methods",
          "no scene has a prediction '\(name)'; there \(names.isEmpty ? "are none" : "are \(names.joined(separator: ", "))")"
        )
      }
      found += resolved
    }
    return found.firstAppearances
  }
}
