import DepthCore
import DepthEvaluation

/// What a search of thresholds shows, as values: `verdict.json`. Sentences are made from it and decide nothing.
///
/// Losses are in the objective's unit, turned so that less is better. Gains are positive where the choice is better. Configurations are
/// positions in the grid (`configuration` in `tune.csv`).
public struct SearchVerdict: Codable, Sendable, Equatable {
  /// The answer for some thresholds, the others at the app's values.
  public struct Question: Codable, Sendable, Equatable {
    /// Ids of the thresholds that may change.
    public let axes: [String]
    /// Whether to change them, and why.
    public let reason: TuningVerdict.Reason
    /// What the rule chooses from all scenes, and the least loss; nil where nothing covers enough.
    public let chosen: Int?, best: Int?
    /// Loss of the least configuration in the scenes that it was chosen from, and of such choices in scenes held out.
    public let inSampleLoss: Double?, heldOutBestLoss: Double?
    /// By how much choosing and judging in the same scenes flatters: the difference of these two.
    public let optimism: Double?
    /// Loss of what the rule chooses, in scenes held out.
    public let heldOutLoss: Double?
    /// Mean gain in scenes held out with its 99 % interval.
    public let gain: Double?, low: Double?, high: Double?
    /// Whether that mean is a gain at all.
    public let hasGain: Bool
    /// Scenes held out; of those, with the same choice as from all, and with a gain.
    public let heldOut: Int, agreeing: Int, better: Int
    /// Whether the recommendation changes all of these thresholds.
    public let isRecommended: Bool
  }

  /// What an app has without any fusion.
  public struct RawLidar: Codable, Sendable, Equatable {
    public let loss: Double
    /// Whether it has less error than any configuration.
    public let beatsAll: Bool
  }

  /// Coverage of the truth that was asked for, which the app's values miss.
  public struct MissedCoverage: Codable, Sendable, Equatable { public let floor: Double, reference: Double }

  /// An end of the front of coverage against error.
  public struct FrontEnd: Codable, Sendable, Equatable {
    public let configuration: Int, coverage: Double, loss: Double
  }

  /// What to do next.
  public enum Next: String, Codable, Sendable {
    /// Try methods that keep the LiDAR's own depth: it has less error than all that was searched.
    case tryLidarMethods = "try-lidar-methods"
    /// Evaluate with the recommended values.
    case evaluateRecommended = "evaluate-recommended"
    /// Search again with more scenes.
    case needsScenes = "needs-scenes"
    /// Evaluate with the app's values.
    case evaluate
  }

  /// Its name in a folder.
  public static let fileName = "verdict.json"
  /// Raised where a key changes its meaning or goes.
  public let version: Int
  public let objective: String, scenes: Int, configurations: Int
  /// Scenes whose truth is not an independent measurement, and in which way.
  public let dependentScenes: [String: String]
  /// Loss of the app's values.
  public let referenceLoss: Double?
  /// Over the whole grid.
  public let recommendation: Question
  /// Position in the grid of what is recommended: the app's values (0) unless a change is.
  public let recommended: Int
  /// Threshold by threshold.
  public let questions: [Question]
  /// nil where it has no value in some scene.
  public let rawLidar: RawLidar?
  /// nil where the app's values cover enough, or nothing was asked for.
  public let missedCoverage: MissedCoverage?
  /// The widest coverage, and the least error; nil where one configuration has both.
  public let widest: FrontEnd?, narrowest: FrontEnd?
  /// Gain from which on these scenes establish one: half the width of the interval; nil for too few scenes.
  public let detectable: Double?
  /// Whether the choice does exactly as well as the app's values in every scene held out.
  public let isSameInAllHeldOut: Bool
  public let next: Next

  init(_ run: TuningRun) {
    let verdict = run.verdict
    version = 1
    objective = run.plan.objective.name
    (scenes, configurations) = (run.finals.scenes.count, run.plan.grid.configurations.count)
    dependentScenes = Dictionary(
      run.scenes.map { ($0.name, $0.header.truthIndependence) }.filter {
        ![.independent, .render].contains($0.1)
      }.map { ($0.0, $0.1.rawValue) }
    ) { first, _ in first }
    referenceLoss = Self.finite(run.finals.loss(of: SearchGrid.reference))
    recommendation = Question(run.plan.grid.axes.map(\.dimension.id), verdict, in: run)
    recommended = verdict.recommended
    questions = run.questions.map { Question($0.axes, $0.verdict, in: run) }
    let lidar = Self.lidarLoss(run).map { loss in
      RawLidar(loss: loss, beatsAll: loss < verdict.inSampleLoss ?? .infinity)
    }
    rawLidar = lidar
    missedCoverage = Self.missedCoverage(run)
    let ends = [run.front.front.first, run.front.front.last].compactMap { $0 }.map {
      FrontEnd(configuration: $0.configuration, coverage: $0.coverage, loss: $0.loss)
    }
    let isFront = ends.count == 2 && ends[0] != ends[1]
    (widest, narrowest) = isFront ? (ends[0], ends[1]) : (nil, nil)
    let nested = verdict.nested.flatMap { $0.heldOut.count >= TuningVerdict.fewestScenes ? $0 : nil }
    let hasScatter = nested?.gain.standardError.map { $0 > 0 } ?? false
    detectable = hasScatter ? verdict.interval.map { ($0.upperBound - $0.lowerBound) / 2 } : nil
    isSameInAllHeldOut = nested?.heldOut.allSatisfy { $0.loss == $0.referenceLoss } ?? false
    next =
      if lidar?.beatsAll == true { .tryLidarMethods } else {
        switch verdict.reason {
        case .gains: .evaluateRecommended
        case .tooFewScenes, .notEstablished: .needsScenes
        case .alreadyBest, .noneCovers: .evaluate
        }
      }
  }

  fileprivate static func finite(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }

  private static func missedCoverage(_ run: TuningRun) -> MissedCoverage? {
    guard let floor = run.plan.objective.coverageFloor, !run.searched.referenceCovers,
      let coverage = run.searched.coverage(of: SearchGrid.reference)
    else { return nil }
    return MissedCoverage(floor: floor, reference: coverage)
  }

  private static func lidarLoss(_ run: TuningRun) -> Double? {
    let objective = run.plan.objective
    let values = run.confirmed.filter { run.finals.scenes.contains($0.scene) }.compactMap {
      $0.lidarValue(column: objective.columnIndex)
    }
    guard !values.isEmpty, values.count == run.finals.scenes.count else { return nil }
    let losses = values.map(objective.loss)
    return objective.isWorstScene ? losses.max() : losses.reduce(0, +) / Double(losses.count)
  }
}

extension SearchVerdict.Question {
  init(_ axes: [String], _ verdict: TuningVerdict, in run: TuningRun) {
    let nested = verdict.nested
    self.axes = axes
    reason = verdict.reason
    (chosen, best) = (verdict.choice?.chosen, verdict.choice?.best)
    inSampleLoss = SearchVerdict.finite(verdict.inSampleLoss)
    (heldOutBestLoss, heldOutLoss) = (
      SearchVerdict.finite(nested?.bestLoss), SearchVerdict.finite(nested?.loss)
    )
    optimism = SearchVerdict.finite(verdict.optimism)
    let gain = SearchVerdict.finite(nested?.gain.mean)
    self.gain = gain
    hasGain = gain ?? 0 > 0
    (low, high) = (
      SearchVerdict.finite(verdict.interval?.lowerBound), SearchVerdict.finite(verdict.interval?.upperBound)
    )
    heldOut = nested?.heldOut.count ?? 0
    agreeing = verdict.agreeing
    better = nested?.heldOut.count { $0.loss < $0.referenceLoss } ?? 0
    let grid = run.plan.grid
    isRecommended = axes.allSatisfy { id in
      grid.axis(id).map { grid.positions[run.verdict.recommended][$0] != grid.axes[$0].reference } ?? false
    }
  }
}
