public import FathomRunFolders
import FathomTables
import DepthEvaluation
import DepthTuning
import FathomStorage

/// `tune.json`: what determines a search, and its verdicts.
public struct TuningManifest: Codable, Sendable {
  public struct Axis: Codable, Sendable {
    public let id: String, values: [String], specified: String, recommended: String
  }

  public struct Verdict: Codable, Sendable {
    public let varied: [String], reason: String, recommendsChange: Bool, gain: Double?
    public let gainLow99: Double?, gainHigh99: Double?, optimism: Double?

    init(_ varied: [String], _ verdict: TuningVerdict) {
      self.varied = varied
      (reason, recommendsChange) = (verdict.reason.rawValue, verdict.recommendsChange)
      gain = verdict.nested?.gain.mean
      (gainLow99, gainHigh99) = (verdict.interval?.lowerBound, verdict.interval?.upperBound)
      optimism = verdict.optimism
    }
  }

  public let tool: String, version: String
  /// As in `run.json`.
  public let build: String?
  public let inputs: [RunManifest.Input], scenes: [String]
  /// Scenes without LiDAR, truth or relative map.
  public let leftOut: [String]
  public let scenePattern: String?, frameRange: String?, objective: TuningObjectiveRecord
  public let protocolStatement: String, axes: [Axis], fixed: [String: String]
  public let configurations: Int, impossible: Int, repeated: Int
  public let searchPixels: Int?, searchPairs: Int?, folds: Int?, seed: UInt64
  public let verdict: Verdict, questions: [Verdict]

  public struct TuningObjectiveRecord: Codable, Sendable {
    public let name: String, coverageFloor: Double?, worstScene: Bool
  }

  init(
    _ run: TuningRun, inputs: [RunManifest.Input], fixed: [(name: String, value: String)], leftOut: [String],
    scenePattern: String?, frameRange: String?
  ) {
    let (plan, grid) = (run.plan, run.plan.grid)
    (tool, version, build, self.inputs) = ("fathom tune", Version.current, Version.build, inputs)
    scenes = run.finals.scenes
    self.leftOut = leftOut
    (self.scenePattern, self.frameRange) = (scenePattern, frameRange)
    objective = TuningObjectiveRecord(
      name: plan.objective.name, coverageFloor: plan.objective.coverageFloor,
      worstScene: plan.objective.isWorstScene)
    protocolStatement = plan.rules.summary
    let recommended = grid.labels(of: run.verdict.recommended)
    axes = zip(grid.axes, recommended).map { axis, value in
      Axis(
        id: axis.dimension.id, values: axis.values, specified: axis.values[axis.reference],
        recommended: value)
    }
    self.fixed = Dictionary(
      fixed.filter { !["seed", "protocol"].contains($0.name) }.map { ($0.name, $0.value) }
    ) { $1 }
    (configurations, impossible, repeated) = (grid.configurations.count, grid.impossible, grid.repeated)
    (searchPixels, searchPairs) = (plan.searchPixels, plan.searchPairs)
    folds = run.verdict.nested?.folds
    seed = plan.seed
    verdict = Verdict(grid.axes.map(\.dimension.id), run.verdict)
    questions = run.questions.map { Verdict($0.axes, $0.verdict) }
  }

  /// Pretty-printed with sorted keys.
  public var json: String { get throws { try CanonicalJSON.text(self) } }
}
