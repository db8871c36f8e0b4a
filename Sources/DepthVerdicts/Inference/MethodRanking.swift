public import DepthEvaluation
import Foundation
public import FathomStatistics

/// Methods ranked within every scene by one column, in the fallback form; oracles are not candidates.
public struct MethodRanking: Sendable {
  public static let fewestScenes = 5
  public let column: MetricColumn
  /// Candidates, in the order of the run.
  public let methods: [String]
  /// Methods that solved nothing, or have no value in some scene that others have.
  public let leftOut: [String]
  /// Over `methods`.
  public let test: Friedman
  /// Mean ranks further apart than this differ at a level of 0.05 (Nemenyi).
  public let criticalDifference: Double
  /// Methods from the best mean rank on, with it, and Nemenyi's p against the best.
  public let ordered: [(method: String, meanRank: Double, pAgainstBest: Double)]

  /// - Returns: nil for fewer than five scenes or three methods.
  init?(_ column: MetricColumn, candidates: [String], in panel: ScenePanel) {
    let index = column.position
    // A pair with itself in the fallback form: the method's values, the raw LiDAR where it refused.
    let values = candidates.map { panel.values(of: $0, and: $0, column: index, form: .fallback) }
    let most = values.map(\.scenes.count).max() ?? 0
    // The raw LiDAR alone does not rank a method.
    let complete = candidates.indices.filter {
      values[$0].scenes.count == most && !panel.values(of: candidates[$0], column: index).scenes.isEmpty
    }
    let common = complete.reduce(Set(panel.scenes)) { $0.intersection(values[$1].scenes) }
    guard common.count >= Self.fewestScenes, complete.count >= 3 else { return nil }
    let tables = complete.map { index in
      Dictionary(uniqueKeysWithValues: zip(values[index].scenes, values[index].perScene(0)))
    }
    // Six digits: what only rounding tells apart shares a rank.
    let rows = panel.scenes.filter(common.contains).map { scene in
      tables.compactMap { $0[scene].flatMap { Double(String(format: "%.5e", $0)) } }
    }
    guard rows.allSatisfy({ $0.count == complete.count && $0.allSatisfy(\.isFinite) }) else { return nil }
    self.column = column
    methods = complete.map { candidates[$0] }
    leftOut = candidates.indices.filter { !complete.contains($0) }.map { candidates[$0] }
    let test = Friedman(errors: rows)
    self.test = test
    criticalDifference = test.criticalDifference()
    let order = complete.indices.sorted { (test.meanRanks[$0], $0) < (test.meanRanks[$1], $1) }
    ordered = order.map { index in
      (candidates[complete[index]], test.meanRanks[index], test.nemenyiP(index, order[0]))
    }
  }
}
