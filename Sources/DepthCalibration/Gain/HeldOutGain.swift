public import DepthEvaluation
public import DepthVerdicts
import FathomStatistics

/// What a calibration gains on scenes that it has not seen (``GainFolds``).
public struct HeldOutGain: Sendable {
  public enum Verdict: String, Codable, Sendable {
    case improves, worsens
    /// The interval of the difference holds zero.
    case undecided = "no difference that can be told"
    /// Too few scenes to tell: the interval of two or three is hardly more than their range.
    case tooFewScenes = "too few scenes"
    /// One scene, or none with a value.
    case notShown = "cannot be shown"
  }
  /// Why nothing can be shown.
  public enum Objection: String, Codable, Sendable {
    /// No scene has a relative map to fuse.
    case noRelativeMap = "no-relative-map"
    /// There is one scene, and none that it has not seen.
    case oneScene = "one-scene"
    /// A part of the scenes alone gives no noise model.
    case noNoiseModel = "no-noise-model"
  }
  public struct Row: Sendable {
    /// Without calibration.
    public let method: String
    /// Lower is better.
    public let column: MetricColumn
    /// Calibrated against not, over scenes, the raw LiDAR standing in where either refused; nil where nothing was fused.
    public let comparison: PairedComparison?

    /// Whether the difference is there.
    public var verdict: Verdict {
      guard let comparison, let interval = comparison.interval else { return .notShown }
      guard comparison.scenes >= HeldOutGain.fewestScenes else { return .tooFewScenes }
      return interval.excludesZero ? (comparison.difference < 0 ? .improves : .worsens) : .undecided
    }
  }

  /// Fewest scenes from which a gain is claimed.
  public static let fewestScenes = CorrectionFit.fewestScenes
  /// Errors that are compared; only pixels that the LiDAR measures.
  public static let columns = [MetricColumn.maeMeasured, .absRelMeasured]
  public let rows: [Row]
  /// Which scenes calibrated which; nil where there are no rows.
  public let folds: GainFolds?
  /// Why there are none.
  public let objection: Objection?

  /// - Parameter records: Of ``GainTrial/records(of:in:under:)``, scene by scene.
  public init(_ records: [FrameRecord], folds: GainFolds, seed: UInt64) {
    (self.folds, objection) = (folds, nil)
    rows = GainTrial.methods.flatMap { method in
      Self.columns.map { column in
        Row(
          method: method, column: column,
          comparison: PairedComparison(
            method + GainTrial.suffix, against: method, column: column, form: .fallback, in: records,
            seed: seed))
      }
    }
  }

  public init(objection: Objection) { (rows, folds, self.objection) = ([], nil, objection) }
  public var scenes: Int { rows.compactMap { $0.comparison?.scenes }.max() ?? 0 }
}
