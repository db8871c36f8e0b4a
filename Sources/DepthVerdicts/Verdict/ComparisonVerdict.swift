import DepthEvaluation
import DepthFusion
import FathomStatistics

/// A method's error compared with another's, and what that is worth.
public struct ComparisonVerdict: Codable, Sendable, Equatable {
  /// Which way it went.
  public enum Outcome: String, Codable, Sendable {
    /// The error is lower.
    case better
    /// The error is higher.
    case worse
    /// The difference would be printed as 0.0 %.
    case same
  }

  /// What the scenes say about the difference.
  public enum Evidence: String, Codable, Sendable {
    /// One scene: no interval and no test.
    case oneScene = "one-scene"
    /// Too few scenes for an interval: nothing but their smallest and largest difference.
    case range
    /// An interval, but no corrected test.
    case interval
    case significant, notSignificant = "not-significant"
    /// So few scenes and so many comparisons that no result could be significant.
    case unattainable
  }

  /// The method as it was asked for.
  public let method: String
  /// The other's id in the rows.
  public let reference: String
  /// Column of both errors.
  public let column: String
  /// What stands in where one refused a frame: "solved" (nothing) or "fallback" (the raw LiDAR).
  public let form: String
  /// Means over scenes, in the column's unit.
  public let value: Double, referenceValue: Double
  /// Share by which the method's error is lower; negative where it is higher, nil where the other's is zero.
  public let gain: Double?
  public let outcome: Outcome, scenes: Int, frames: Int
  /// nil where the two can be compared.
  public let obstacle: ComparisonObstacle?
  /// 95 % interval of value − referenceValue over scenes; nil for fewer than ``fewestForInterval`` scenes.
  public let low: Double?, high: Double?
  /// Smallest and largest difference of a scene.
  public let smallest: Double?, largest: Double?
  /// Whether the interval leaves out zero; nil where there is none.
  public let excludesZero: Bool?
  /// Wilcoxon's signed-rank test of the scenes' differences, plain and after Holm's correction.
  public let p: Double?, adjustedP: Double?
  /// The smallest adjusted p that so many scenes and comparisons can give.
  public let smallestAttainableP: Double?
  public let evidence: Evidence
  /// A relative difference below this is none: it would be printed as 0.0 %.
  public static let noGain = 0.0005
  public static let fewestForInterval = ConfidenceInterval.fewestScenes

  /// nil where a mean is not finite.
  init?(_ selection: MethodSelection, _ comparison: PairedComparison, _ run: EvaluationRun) {
    guard comparison.value.isFinite, comparison.referenceValue.isFinite else { return nil }
    (method, reference, column) = (selection.description, comparison.reference, comparison.column.id)
    obstacle = run.obstacle(of: run.ids(of: selection), in: comparison)
    form = comparison.form.rawValue
    (value, referenceValue) = (comparison.value, comparison.referenceValue)
    let gain = comparison.relativeGain.flatMap { $0.isFinite ? $0 : nil }
    self.gain = gain
    outcome =
      if let gain { abs(gain) < Self.noGain ? .same : gain > 0 ? .better : .worse } else {
        comparison.difference > 0 ? .worse : .same
      }
    (scenes, frames) = (comparison.scenes, comparison.frames)
    (low, high) = (comparison.interval?.low, comparison.interval?.high)
    let differences = comparison.sceneDifferences.map(\.difference)
    (smallest, largest) = (differences.min(), differences.max())
    excludesZero = comparison.interval?.excludesZero
    (p, adjustedP) = (comparison.test?.pValue, comparison.adjustedP)
    smallestAttainableP = comparison.smallestAttainableP
    evidence = Self.evidence(comparison)
  }

  private static func evidence(_ comparison: PairedComparison) -> Evidence {
    guard comparison.scenes > 1 else { return .oneScene }
    guard comparison.interval != nil else { return .range }
    guard let isSignificant = comparison.isSignificant, let smallest = comparison.smallestAttainableP else {
      return .interval
    }
    return isSignificant ? .significant : smallest >= PairedComparison.level ? .unattainable : .notSignificant
  }
}
