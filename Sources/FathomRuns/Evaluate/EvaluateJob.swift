public import FathomRunFolders
import FathomStorage
public import DepthEvaluation
public import DepthFusion
public import DepthVerdicts

/// Runs fusion methods on data sets and scores them: what `fathom evaluate` does.
public struct EvaluateJob: Sendable {
  /// Data sets, scenes and frames.
  public var data: DataSelection
  /// Methods, their options, the protocol, and how objects are looked at.
  public var plan: EvaluationPlan
  /// Method that gains are compared with; nil for the raw LiDAR, and for the first prediction where no scene has a LiDAR.
  public var baseline: MethodSelection?
  /// Whether the same predictions are scored under every protocol.
  public var comparesProtocols = false
  /// Whether they are scored under the protocols that differ from the plan's in one switch, and under the named ones.
  package var comparesNeighbours = false
  /// Whether the data are asked if they keep to their conventions.
  public var diagnoses = true
  /// Where what was found about that is kept between runs; nil for nowhere.
  public var cache: DiagnosisCache?
  /// Whether a data set that cannot be read is skipped.
  public var keepsGoing = false
  /// The calibration file whose content the plan's options hold.
  public var calibration: RunManifest.Input?
  /// Which scenes are evaluated, for a merge with the others; nil for all. See ``writeShard(_:to:resume:overwrite:_:)``.
  package var part: ScenePart?
  /// Whether scenes are kept one by one: each needs the digest of its data then, and not those of all.
  package var keepsScenes = false
  /// Bytes for the frames that are worked on at once, so that fewer are where they are large; nil for no bound.
  public var maxMemory = MachineLimits.current.memory
  /// Frames that are worked on at once.
  public var jobs = MachineLimits.current.cores

  /// - Parameter plan: By default the standard methods under the protocol `fathom`. The baseline, the raw LiDAR (which stands in
  ///   where a method refuses) and `spec` are always among the methods; of data without a LiDAR, the baseline and no method that
  ///   needs one.
  public init(_ data: DataSelection, plan: EvaluationPlan = .standard) {
    (self.data, self.plan) = (data, plan)
  }

  /// Evaluates.
  /// - Throws: `FathomError` where data cannot be read, `OptionProblem` where the options do not fit the data.
  public func run(_ observe: JobObserver = { _ in }) async throws -> EvaluateResult {
    try await open(observe).run(observe)
  }

  /// Evaluates, and keeps every finished scene in `PATH.partial`: the same call goes on where an interrupted one stopped.
  /// - Parameter path: Where the result will be written, which takes the partial folder away; nothing may be there yet.
  /// - Throws: `FathomError` as ``run(_:)``, and where the partial folder holds another evaluation.
  public func run(resumingIn path: String, _ observe: JobObserver = { _ in }) async throws -> EvaluateResult {
    var job = self
    job.keepsScenes = true
    let evaluation = try job.open(observe)
    return try await AtomicFolder.resuming(path, kind: .run, task: evaluation.task.text) { work, kept in
      try await evaluation.run(in: work, kept: kept, observe)
    }
  }

  /// Evaluates the scenes of one part and keeps them in a folder, a shard, for ``MergeJob``; an interrupted call is resumed.
  /// - Parameter resume: Whether unfinished work is resumed, and this very shard left alone where it is finished.
  /// - Parameter overwrite: Whether a folder with another shard is replaced.
  /// - Returns: false where the shard was finished before.
  /// - Throws: `FathomError` as ``run(_:)``, and where something else is in the shard's place.
  @discardableResult public func writeShard(
    _ part: ScenePart, to path: String, resume: Bool = true, overwrite: Bool = false,
    _ observe: JobObserver = { _ in }
  ) async throws -> Bool {
    var job = self
    (job.part, job.keepsScenes) = (part, true)
    return try await job.open(observe).writeShard(
      part, to: path, resume: resume, overwrite: overwrite, observe)
  }

  /// Opens the data sets and checks the options against them.
  package func open(_ observe: JobObserver) throws -> OpenEvaluation { try OpenEvaluation(self, observe) }
}

extension EvaluationPlan {
  /// The standard methods with the options of the specification, boxes included.
  public static var standard: EvaluationPlan {
    var plan = EvaluationPlan(methods: MethodCatalogue.standard)
    plan.objects = ObjectPlan()
    return plan
  }
}

/// What an evaluation found, with its data still open.
public struct EvaluateResult {
  /// Name of the run: the data sets' names.
  public let name: String
  /// The run with its tables, checked for impossible values.
  public let checked: CheckedRun
  /// What determines the run. In its folder, `run.json` also says where the data are: see ``manifest(in:)``.
  public internal(set) var manifest: RunManifest
  /// How commands name the data.
  public internal(set) var data = RunData(name: "", paths: [], positions: [:])
  /// What the data say about their own conventions; nil where they were not asked.
  public let diagnosis: RunDiagnosis?
  /// The frames that were evaluated.
  public internal(set) var frames = RunFrames()

  /// Which method is best, by how much, and what the data can show.
  public var verdict: RunVerdict { checked.verdict }
  /// Rows, means, intervals, tests and ranks.
  public var run: EvaluationRun { checked.run }
  /// `frames.csv`, `summary.csv` and the others.
  public var tables: RunTables { checked.tables }
}
