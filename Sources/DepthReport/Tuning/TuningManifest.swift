import FathomRunFolders
import FathomTables
import DepthEvaluation
import DepthFusion
import DepthTuning
import Foundation
import FathomStorage

/// `tune.json`: what determines a search, and its verdicts.
struct TuningManifest: Codable, Sendable {
  struct Axis: Codable, Sendable {
    let id: String
    let values: [String]
    let specified: String
    let recommended: String
  }

  struct Verdict: Codable, Sendable {
    let varied: [String]
    let reason: String
    let recommendsChange: Bool
    let gain: Double?
    let gainLow99: Double?, gainHigh99: Double?
    let optimism: Double?

    init(_ varied: [String], _ verdict: TuningVerdict) {
      self.varied = varied
      (reason, recommendsChange) = (verdict.reason.rawValue, verdict.recommendsChange)
      gain = verdict.nested?.gain.mean
      (gainLow99, gainHigh99) = (verdict.interval?.lowerBound, verdict.interval?.upperBound)
      optimism = verdict.optimism
    }
  }

  let tool: String
  let version: String
  let inputs: [RunManifest.Input]
  let scenes: [String]
  /// Scenes without LiDAR, truth or relative map.
  let leftOut: [String]
  let scenePattern: String?, frameRange: String?
  let objective: TuningObjectiveRecord
  let protocolStatement: String
  let axes: [Axis]
  let fixed: [String: String]
  let configurations: Int, impossible: Int, repeated: Int
  let searchPixels: Int?, searchPairs: Int?
  let folds: Int?
  let seed: UInt64
  let verdict: Verdict
  let questions: [Verdict]

  struct TuningObjectiveRecord: Codable, Sendable {
    let name: String
    let coverageFloor: Double?
    let worstScene: Bool
  }

  init(
    _ run: TuningRun, inputs: [RunManifest.Input], fixed: [(name: String, value: String)], leftOut: [String],
    scenePattern: String?, frameRange: String?
  ) {
    let (plan, grid) = (run.plan, run.plan.grid)
    (tool, version, self.inputs) = ("fathom tune", Version.current, inputs)
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
  var json: String {
    get throws { try CanonicalJSON.text(self) }
  }
}
