import Storage
import DepthCalibration
import DepthCore
import DepthDataset
public import DepthEvaluation
public import DepthFusion
public import DepthReport
import Foundation

/// Runs fusion methods on data sets and scores them: what `fathom evaluate` does.
public struct EvaluateJob: Sendable {
  /// Data sets, scenes and frames.
  public var data: DataSelection
  /// Methods, their options, the protocol, and how objects are looked at.
  public var plan: EvaluationPlan
  /// Method that gains are held against.
  public var baseline = MethodSelection.lidarBilinear
  /// Whether the same predictions are scored under every protocol.
  public var comparesProtocols = false
  /// Whether the data are asked if they keep to their conventions.
  public var diagnoses = true
  /// Whether the worst, the median and the best frames are drawn.
  public var paintsGallery = true
  /// Whether a data set that cannot be read is left out.
  public var keepsGoing = false
  /// Frames that are worked on at once.
  public var jobs = ProcessInfo.processInfo.activeProcessorCount

  /// - Parameter plan: By default the standard methods under the protocol `fathom`. The baseline, the raw LiDAR (which stands in
  ///   where a method refuses) and `spec` are always among the methods.
  public init(_ data: DataSelection, plan: EvaluationPlan = .standard) {
    self.data = data
    self.plan = plan
  }

  /// Evaluates.
  ///
  /// - Parameter observe: Told what happens, on the calling task.
  /// - Throws: `FathomError` where data cannot be read, `OptionProblem` where the options do not fit the data, `GraphicsError`
  ///   where a picture cannot be drawn.
  public func run(_ observe: JobObserver = { _ in }) async throws -> EvaluateResult {
    try await open(observe).run(observe)
  }

  /// Opens the data sets and holds the options against them.
  package func open(_ observe: JobObserver) throws -> OpenEvaluation {
    try OpenEvaluation(self, observe)
  }
}

extension EvaluationPlan {
  /// The standard methods with the options of the specification, boxes included.
  public static var standard: EvaluationPlan {
    var plan = EvaluationPlan(methods: MethodCatalogue.standard)
    plan.objects = ObjectPlan()
    return plan
  }
}

/// What an evaluation found.
public struct EvaluateResult: Sendable {
  /// Name of the run: the data sets' names.
  public let name: String
  /// The run with its tables, held against what any predictions can have.
  public let checked: CheckedRun
  /// `run.json`.
  public let manifest: RunManifest
  /// What the data say about their own conventions; nil where they were not asked.
  public let diagnosis: DiagnosisSection?
  /// Pictures of frames and the files that they are; nil where none were asked for or there is nothing to draw.
  public let gallery: GalleryPainter.Pictures?

  /// Which method is best, by how much, and what the data can show.
  public var verdict: RunVerdict { checked.verdict }
  /// Rows, means, intervals, tests and ranks.
  public var run: EvaluationRun { checked.run }
  /// `frames.csv`, `summary.csv` and the others.
  public var tables: RunTables { checked.tables }
}

/// An evaluation whose data sets are open.
package struct OpenEvaluation {
  package let name: String
  private let job: EvaluateJob
  private let inputs: RunInputs
  private let plan: EvaluationPlan

  fileprivate init(_ job: EvaluateJob, _ observe: JobObserver) throws {
    self.job = job
    inputs = try RunInputs(job.data, keepsGoing: job.keepsGoing, rules: job.plan.rules, observe)
    name = inputs.name
    var plan = job.plan
    plan.require([job.baseline, .lidarBilinear, .spec])
    plan.methods = try inputs.resolve(plan.methods)
    if let word = plan.unknownObjectDepth {
      throw OptionProblem(
        "object-depths",
        "'\(word)' is not among the methods of this run; add it to --methods, or choose lidar or truth")
    }
    let depths = plan.objectDepths
    plan.objects?.depths = depths
    if job.comparesProtocols {
      plan.paths = ProtocolPaths(from: plan.rules, inputs.files.flatMap { $0.scenes.map(\.header) })
    }
    self.plan = plan
  }

  /// - Parameters:
  ///   - calibration: The calibration file whose content the plan's options hold.
  ///   - check: Holds what was found against what can be.
  package func run(
    calibration: RunManifest.Input? = nil, check: (EvaluationRun) -> CheckedRun = CheckedRun.init,
    _ observe: JobObserver
  ) async throws -> EvaluateResult {
    let found = try await evaluate(observe)
    observe(.began(.checking, steps: 0))
    if try await inputs.haveEqualData { observe(.noticed(.sameData)) }
    let checked = check(found)
    let run = checked.run
    var manifest = RunManifest(
      run, inputs: try await inputs.manifest(run.unreadable), data: try await inputs.dataDigests,
      calibration: calibration, scenePattern: job.data.scenes.description,
      frameRange: job.data.frames?.description, impossible: checked.impossible)
    if job.data.truth == .multiview { manifest.multiview = MultiviewReference.Options() }
    var diagnosis: DiagnosisSection?
    if job.diagnoses {
      observe(.began(.diagnosing, steps: run.scenes.count))
      diagnosis = try await RunDiagnosis.section(of: inputs, run, jobs: job.jobs) { observe(.advanced) }
    }
    var gallery: GalleryPainter.Pictures?
    if job.paintsGallery {
      observe(.began(.drawing, steps: 0))
      gallery = try await RunGallery(run: run, ranking: checked.verdict.ranking, inputs: inputs).paint(
        jobs: job.jobs)
    }
    try run.requireWhole()
    try inputs.requireUnchanged()
    return EvaluateResult(
      name: name, checked: checked, manifest: manifest, diagnosis: diagnosis, gallery: gallery)
  }

  /// One file, scene and frame at a time.
  ///
  /// - Throws: `FathomError` where a frame cannot be read, unless the job keeps going: the file is then left out from
  ///   that scene on.
  private func evaluate(_ observe: JobObserver) async throws -> EvaluationRun {
    var scenes: [SceneContext] = []
    var recorder = RunRecorder()
    var leftOut: [ObjectResults.LeftOut] = []
    var unreadable = inputs.faults
    let total = inputs.files.reduce(0) { sum, file in
      sum + file.scenes.reduce(0) { $0 + job.data.range(of: $1.header).count }
    }
    if let frames = job.data.frames, total == 0, !inputs.files.isEmpty {
      throw OptionProblem("frames", "no scene has a frame in \(frames)")
    }
    observe(.began(.fusing, steps: total))
    for file in inputs.files {
      do throws(FathomError) {
        for var scene in file.scenes {
          let available = try detections(of: scene, in: file.source)
          let begin = try recorder.mark()
          do throws(FathomError) {
            try await evaluate(&scene, available, from: file.source, into: &recorder, observe)
          } catch {
            recorder.remove(after: begin)
            throw error
          }
          scenes.append(scene)
          if case .unusable(let reason) = available {
            leftOut.append(ObjectResults.LeftOut(scene: scene.name, reason: reason))
          }
        }
      } catch {
        if let full = recorder.failure { throw full }
        guard job.keepsGoing else { throw error }
        observe(.noticed(.unreadable(error)))
        unreadable.append(
          UnreadableFile(name: file.label, reason: RunInputs.portable(error.description, file.path)))
      }
    }
    let found = try recorder.finished()
    noticeStarvation(found.rows, scenes, observe)
    observe(.began(.summarising, steps: 0))
    return EvaluationRun(
      plan: plan, scenes: scenes, records: found.rows, baseline: try baselineID(scenes),
      unreadable: unreadable, objects: results(found.objects, leftOut))
  }

  /// nil where there are no objects to speak of.
  private func results(_ found: ObjectRecords, _ leftOut: [ObjectResults.LeftOut]) -> ObjectResults? {
    guard let objects = plan.objects else { return nil }
    guard !found.isEmpty || !leftOut.isEmpty else { return nil }
    return ObjectResults(found, plan: objects, leftOut: leftOut, seed: plan.seed)
  }

  private func detections(
    of scene: SceneContext, in source: borrowing some FrameSource & ~Copyable
  ) throws(FathomError) -> SceneDetections.Availability {
    guard let objects = plan.objects else { return .none }
    return try SceneDetections.find(in: scene.header, source, plan: objects)
  }

  /// - Throws: `OptionProblem` where the baseline is another method in some scenes than in others.
  private func baselineID(_ scenes: [SceneContext]) throws(OptionProblem) -> String {
    let kinds = scenes.filter { $0.header.relativeSize != nil }.map(\.relativeKind)
    let ids = (kinds.isEmpty ? [.unknown] : kinds).map { job.baseline.method(for: $0).id }.firstAppearances
    guard ids.count == 1 else {
      throw OptionProblem(
        "baseline", "'\(job.baseline)' is \(ids.joined(separator: " and ")) here; name the form")
    }
    return ids[0]
  }

  private func evaluate(
    _ scene: inout SceneContext, _ available: SceneDetections.Availability,
    from source: borrowing some FrameSource & ~Copyable, into recorder: inout RunRecorder,
    _ observe: JobObserver
  ) async throws(FathomError) {
    let header = scene.header
    let usesPredictions = plan.methods.contains { $0.storedName != nil }
    let arrays: FrameArrays = usesPredictions ? [.fusion, .predictions] : .fusion
    try await EvaluationRun.evaluateObjects(
      &scene, plan: plan, frames: job.data.range(of: header), jobs: job.jobs,
      progress: { observe(.advanced) }
    ) { (index) throws(FathomError) in
      try source.frame(index, of: header, including: arrays)
    } detections: { (index) throws(FathomError) in
      guard case .usable(let detections) = available else { return nil }
      return try detections.frame(index, from: source)
    } take: { (rows, objects) throws(FathomError) in
      try recorder.take(rows, objects)
    }
  }

  /// One notice for content that left rows without a result, unless it is the expected kind of refusal.
  private func noticeStarvation(
    _ records: RowStore<FrameRecord>, _ scenes: [SceneContext], _ observe: JobObserver
  ) {
    let withTruth = Set(scenes.filter { $0.header.truthSize != nil }.map(\.name))
    func isStarved(_ record: FrameRecord) -> Bool {
      switch record.fusion.status {
      case .tooFewPairs, .degenerate: true
      case .noTruth: withTruth.contains(record.scene)
      // The raw LiDAR has nothing to refuse; a reason says that its map is empty.
      case .ok: record.isRawLidar && record.fusion.reason != nil || !record.isSolved
      // Noticed where it is found.
      case .noRelative, .rejectedScale, .impossible: false
      }
    }
    var first: FrameRecord?
    var frames: [String: Set<String>] = [:]
    for record in records where isStarved(record) {
      if first == nil { first = record }
      frames[record.scene, default: []].insert(record.frame)
    }
    guard let first else { return }
    observe(.noticed(.framesWithoutResult(frames.values.reduce(0) { $0 + $1.count }, first: first)))
  }
}

extension EvaluationPlan {
  /// Puts methods in front that are not there yet.
  package mutating func require(_ needed: [MethodSelection]) {
    for method in needed.reversed() where !methods.contains(method) { methods.insert(method, at: 0) }
  }
}

extension RunInputs {
  /// The methods with "stored" replaced by the predictions that the scenes hold.
  ///
  /// - Throws: `OptionProblem` for a prediction that no scene holds.
  fileprivate func resolve(_ methods: [MethodSelection]) throws(OptionProblem) -> [MethodSelection] {
    let names = files.flatMap { $0.scenes.flatMap { $0.header.predictions.map(\.name) } }.firstAppearances
    var found: [MethodSelection] = []
    for selection in methods {
      let resolved = selection.resolved(stored: names)
      if let name = selection.storedName, resolved.isEmpty, !files.isEmpty {
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
