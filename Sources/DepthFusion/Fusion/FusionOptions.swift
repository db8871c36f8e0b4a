public import DepthCore

/// Everything that a user may set about pair selection and estimators. The names are those of the
/// configuration file and, in kebab case, of the command's flags.
///
/// `spec` and `shipped` are literal and read none of it.
public struct FusionOptions: Sendable, Hashable, Codable {
  /// Lowest confidence of a pair, inclusive; nil for the estimator's own (2; `wls` 1).
  public var minConfidence: UInt8?
  /// Depths used for fitting lie strictly between these, metres.
  public var minDepth = 0.1, maxDepth = 4.0
  /// Fewest pairs that are fitted.
  public var minPairs = 20
  /// Where a LiDAR pixel lies in the relative map.
  public var positionMapping = PositionMapping.centres
  /// Applied to every return before it is used; nil for none.
  public var correction: LidarCorrection?
  /// What a LiDAR pixel shows lies at its position plus this in the relative map's view, LiDAR pixels; nil for in place.
  public var registration: PixelOffset?
  /// What weighs the pairs, in every estimator; nil for the estimator's own (confidence for `wls`, else none).
  public var weights: PairWeights?
  /// Weight of a pair of confidence 0, 1, 2 where confidence is the weight; 0 leaves it out.
  public var confidenceWeights = [0, 0.05, 1]
  /// Noise over range where the range is the weight.
  public var rangeSigma = RangeLaw.proportional
  /// Noise over confidence and range where a calibration is the weight.
  public var noiseModel: NoiseModel?
  /// `huber`: k in units of σ̂.
  public var huberThreshold = 1.345
  /// `tukey`: beyond this many σ̂ a pair has no weight.
  public var tukeyThreshold = 4.685
  /// `trimmed`: share of the pairs whose squares are summed, 0.5…1.
  public var keptShare = 0.5
  /// `ransac`, `lo-ransac`: when a pair is an inlier.
  public var inlierThreshold = InlierThreshold.residualMAD(2.5)
  /// `ransac`, `lo-ransac`: probability that one sample was free of outliers.
  public var ransacConfidence = 0.99
  /// Sampled methods: most trials.
  public var maxTrials = 1000
  /// Smallest and largest depth of a result, metres; everything is clamped to it.
  public var clampMin = 0.01, clampMax = 100.0
  /// A slope whose magnitude lies outside is rejected; nil for no guard, which is the default because a
  /// threshold on α depends on the network's unit (domain §2).
  public var minScale: Double?, maxScale: Double?
  /// Smallest |ρ| (Spearman) of the pairs' x and y, below which a fit is rejected: a guard without a unit.
  public var minRankCorrelation: Double?
  /// |α|·IQR(x)/IQR(y) of the pairs outside is rejected: the slope in units of the data's own spreads, 1 for a map
  /// that explains them all.
  public var minScaleRatio: Double?, maxScaleRatio: Double?

  /// The local methods and `auto`.
  public var local = LocalOptions()
  /// Averaging over time.
  public var temporal = TemporalOptions()

  /// The defaults of domain §1.
  public init() {}

  /// The first value that makes no sense, as "name: why"; nil when all do.
  public var firstProblem: String? {
    let numbers: [(String, Double?)] = [
      ("min-depth", minDepth), ("max-depth", maxDepth), ("huber-threshold", huberThreshold),
      ("ransac-confidence", ransacConfidence), ("clamp-min", clampMin), ("clamp-max", clampMax),
      ("min-scale", minScale), ("max-scale", maxScale), ("tukey-threshold", tukeyThreshold),
      ("max-scale-ratio", maxScaleRatio), ("min-scale-ratio", minScaleRatio),
    ]
    for case (let name, let value?) in numbers where !value.isFinite {
      return "\(name): \(value) is not finite"
    }
    // Squares of what is larger still fit no table.
    for (name, value) in [
      ("min-depth", minDepth), ("max-depth", maxDepth), ("clamp-min", clampMin), ("clamp-max", clampMax),
      ("huber-threshold", huberThreshold), ("tukey-threshold", tukeyThreshold),
    ] + confidenceWeights.map({ ("confidence-weights", $0) }) where value > 1e6 {
      return "\(name): \(value) is above a million"
    }
    if let minConfidence, minConfidence > 2 { return "min-confidence: \(minConfidence) is not 0, 1 or 2" }
    if minDepth < 0 { return "min-depth: \(minDepth) is not a distance" }
    if maxDepth <= minDepth { return "max-depth: \(maxDepth) is not above min-depth \(minDepth)" }
    if minPairs < 2 { return "min-pairs: a line needs at least 2" }
    if confidenceWeights.count != 3 || !confidenceWeights.allSatisfy({ $0 >= 0 && $0.isFinite }) {
      return "confidence-weights: three weights of at least 0 are needed, for confidence 0, 1 and 2"
    }
    if let problem = Calibration(correction: correction ?? .identity, registration: registration ?? .zero)
      .firstProblem
    {
      return "calibration: \(problem)"
    }
    if !rangeSigma.isUsable { return "range-sigma: \(rangeSigma) is no noise" }
    if let noiseModel, !noiseModel.isUsable {
      return "calibration: a and b of at least 0, not both 0, are needed for confidence 0, 1 and 2"
    }
    if weights == .calibration && noiseModel == nil {
      return "weights: calibration needs --calibration FILE.yaml"
    }
    if !(huberThreshold > 0) { return "huber-threshold: \(huberThreshold) is not positive" }
    if !(tukeyThreshold > 0) { return "tukey-threshold: \(tukeyThreshold) is not positive" }
    if !(keptShare >= 0.5 && keptShare <= 1) { return "kept-share: \(keptShare) is not between 0.5 and 1" }
    if !(ransacConfidence > 0 && ransacConfidence < 1) {
      return "ransac-confidence: \(ransacConfidence) is not between 0 and 1"
    }
    if maxTrials < 1 { return "max-trials: at least 1 is needed" }
    if clampMin <= 0 || clampMax <= clampMin {
      return "clamp-max: \(clampMax) is not above clamp-min \(clampMin), which must be positive"
    }
    if !(0...60).contains(temporal.frames) { return "smoothing-frames: \(temporal.frames) is not in 0–60" }
    if !(temporal.maxAgeSeconds >= 0) { return "smoothing-age: \(temporal.maxAgeSeconds) is no time" }
    if let problem = local.firstProblem { return problem }
    if let minScale, !(minScale >= 0) { return "min-scale: \(minScale) is not a magnitude" }
    if let maxScale, !(maxScale > minScale ?? 0) { return "max-scale: \(maxScale) is not above min-scale" }
    if let minRankCorrelation, !(minRankCorrelation >= 0 && minRankCorrelation <= 1) {
      return "min-rank-correlation: \(minRankCorrelation) is not between 0 and 1"
    }
    if let minScaleRatio, !(minScaleRatio >= 0) {
      return "min-scale-ratio: \(minScaleRatio) is not a magnitude"
    }
    if let maxScaleRatio, !(maxScaleRatio > minScaleRatio ?? 0) {
      return "max-scale-ratio: \(maxScaleRatio) is not above min-scale-ratio"
    }
    return nil
  }
}
