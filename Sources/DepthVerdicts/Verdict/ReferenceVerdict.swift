import DepthCore
import DepthFusion
import FathomStatistics

/// Who is better and who is worse than a reference, over all frames, the raw LiDAR standing in where a method refused.
public struct ReferenceVerdict: Codable, Sendable, Equatable {
  /// A method's id in the rows.
  public let reference: String
  /// Ids of methods that differ significantly; none of those that cannot be compared, see ``ComparisonObstacle``.
  public let better: [String], worse: [String]
  /// Ids of methods that could not be told from it.
  public let undecided: [String]
  /// Comparisons that were corrected for together.
  public let comparisons: Int
  /// Scenes that differ, of the comparison with most.
  public let scenes: Int
  /// The smallest adjusted p that any of them can give; at ``level`` and above nothing can be significant.
  public let smallestAttainableP: Double
  /// What an adjusted p is compared with.
  public let level: Double
  /// Whether no result could have been significant.
  public var isUnattainable: Bool { smallestAttainableP >= level }

  /// The baseline, and `spec` where it ran.
  static func all(_ run: EvaluationRun) -> [ReferenceVerdict] {
    [run.baseline, MethodSelection.spec.id].firstAppearances.compactMap { ReferenceVerdict($0, run) }
  }

  private init?(_ reference: String, _ run: EvaluationRun) {
    let methods = run.aggregation.summary.map(\.method)
    guard methods.contains(reference) else { return nil }
    let tested = methods.filter { $0 != reference }.compactMap {
      run.comparison(of: $0, against: reference, column: run.basis.mae, form: run.basis.widestForm)
    }.filter { $0.adjustedP != nil }
    guard let first = tested.first else { return nil }
    let comparable = tested.filter { run.obstacle(of: [$0.method], in: $0) == nil }
    func names(_ holds: (PairedComparison) -> Bool) -> [String] { comparable.filter(holds).map(\.method) }
    self.reference = reference
    better = names { $0.isSignificant == true && $0.difference < 0 }
    worse = names { $0.isSignificant == true && $0.difference > 0 }
    undecided = names { $0.isSignificant == false }
    comparisons = first.familySize
    scenes = tested.map { $0.test?.nonZeroCount ?? 0 }.max() ?? 0
    smallestAttainableP = tested.compactMap(\.smallestAttainableP).min() ?? 1
    level = PairedComparison.level
  }
}
