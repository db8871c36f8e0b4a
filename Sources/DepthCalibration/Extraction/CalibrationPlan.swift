import DepthCore
public import DepthEvaluation

/// What determines the numbers of a calibration.
public struct CalibrationPlan: Sendable, Hashable, Codable {
  /// Truth that counts: above, metres; and up to, nil for no limit.
  public var minTruth: Double, maxTruth: Double?
  /// Seed of resamples and of the choice of the kept pixels.
  public var seed: UInt64
  /// Pixels kept of each scene and level for the noise model, at most; everything else is counted as it passes.
  public var keptPixels = 5000
  /// Neighbouring truth values whose ratio is above this are a depth step: there is no truth at a LiDAR pixel on it.
  public var stepRatio = 1.1
  /// Pixels of a level that a frame needs before its median counts.
  public var fewestForMedian = 20

  /// The truth range of the protocol `fathom`, seed 0.
  public init() {
    let rules = EvaluationProtocol.fathom
    (minTruth, maxTruth, seed) = (rules.minDepth, rules.maxDepth, 0)
  }

  /// The rules that say which truth counts.
  public var rules: EvaluationProtocol {
    var rules = EvaluationProtocol.fathom
    (rules.minDepth, rules.maxDepth) = (minTruth, maxTruth)
    return rules
  }

  /// Width of a bin of true depth, metres.
  public static let binWidth = 0.5
  /// The bin of a true depth; its upper end belongs to it, as in `ranges.csv`.
  static func bin(of depth: Double) -> Int { max(0, Int(saturating: (depth / binWidth).rounded(.up) - 1)) }

  /// Lower and upper end of a bin, metres.
  public static func range(of bin: Int) -> (from: Double, to: Double) {
    (Double(bin) * binWidth, Double(bin + 1) * binWidth)
  }
}
