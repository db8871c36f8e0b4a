public import FathomRunFolders
import FathomStorage
import DepthCalibration
import DepthCore
import DepthDataset
public import DepthEvaluation
public import DepthFusion
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
  /// Whether a data set that cannot be read is left out.
  public var keepsGoing = false
  /// The calibration file whose content the plan's options hold.
  public var calibration: RunManifest.Input?
  /// Which scenes are evaluated, for a merge with the others; nil for all.
  package var part: ScenePart?
  /// Whether scenes are kept one by one: each needs the digest of its data then, and not those of all.
  package var keepsScenes = false
  /// Bytes for the frames that are worked on at once, so that fewer are where they are large; nil for no bound.
  public var maxMemory = MachineLimits.current.memory
  /// Frames that are worked on at once.
  public var jobs = MachineLimits.current.cores

  /// - Parameter plan: By default the standard methods under the protocol `fathom`. The baseline, the raw LiDAR (which stands in
  ///   where a method refuses) and `spec` are always among the methods.
  public init(_ data: DataSelection, plan: EvaluationPlan = .standard) {
    self.data = data
    self.plan = plan
  }

  /// Evaluates.
  ///
  /// - Parameter observe: Told what happens, on the calling task.
  /// - Throws: `FathomError` where data cannot be read, `OptionProblem` where the options do not fit the data.
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

/// What an evaluation found, with its data still open.
public struct EvaluateResult {
  /// Name of the run: the data sets' names.
  public let name: String
  /// The run with its tables, held against what any predictions can have.
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

extension EvaluationPlan {
  /// Puts methods in front that are not there yet.
  package mutating func require(_ needed: [MethodSelection]) {
    for method in needed.reversed() where !methods.contains(method) { methods.insert(method, at: 0) }
  }
}
