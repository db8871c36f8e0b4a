public import DepthCore
private import FathomPlainText

/// Everything that a user may set about pair selection and estimators. Configuration files and
/// flags have the same names in kebab case: `min-confidence`.
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
  /// Factors for the standard deviations that methods state; nil for none.
  public var deviationScales: [DeviationScale]?
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
}

extension FusionOptions: DeclaredOptions {
  /// Its options but for those of ``local`` and ``temporal``.
  public static let rules: [Rule] = [
    Rule(
      "min-confidence", \.minConfidence, .from(0, to: 2),
      standard: "2; 1 where it is the weight; none in local methods, auto",
      help: "Lowest confidence of a fitted pair"),
    // Squares of what is above a million fit no table.
    Rule("min-depth", \.minDepth, .from(0, to: 1e6), .metres, help: "Depths to fit must be above this"),
    Rule("max-depth", \.maxDepth, .above(0, to: 1e6), .metres, help: "Depths to fit must be below this"),
    // A line needs two.
    Rule("min-pairs", \.minPairs, .atLeast(2), help: "Smallest number of pairs for a fit"),
    Rule("position-mapping", \.positionMapping, help: "Where a LiDAR pixel lies in the relative map"),
    Rule(
      "weights", \.weights, standard: "confidence in wls, else none",
      help: "Weights of the pairs in every estimator"),
    Rule(
      "confidence-weights", \.confidenceWeights, .from(0, to: 1e6),
      help: "Weights of confidence 0,1,2 where confidence is the weight"),
    Rule("range-sigma", \.rangeSigma, help: "LiDAR noise where range is the weight"),
    Rule(
      "huber-threshold", \.huberThreshold, .above(0, to: 1e6),
      help: "k of huber in units of the residuals' scale"),
    Rule(
      "tukey-threshold", \.tukeyThreshold, .above(0, to: 1e6),
      help: "c of tukey in units of the residuals' scale"),
    Rule(
      "kept-share", \.keptShare, .from(0.5, to: 1), help: "Fraction of the pairs that trimmed uses"),
    Rule("inlier-threshold", \.inlierThreshold, help: "Largest residual of a ransac or lo-ransac inlier"),
    Rule(
      "ransac-confidence", \.ransacConfidence, .above(0, below: 1),
      help: "Probability that ransac or lo-ransac drew one sample without outliers"),
    Rule("max-trials", \.maxTrials, .atLeast(1), help: "Most trials of ransac, lo-ransac, lmeds and trimmed"),
    Rule("clamp-min", \.clampMin, .above(0, to: 1e6), .metres, help: "Smallest depth of a result"),
    Rule("clamp-max", \.clampMax, .above(0, to: 1e6), .metres, help: "Largest depth of a result"),
    Rule(
      "min-scale", \.minScale, .atLeast(0), standard: "no guard",
      help: "Reject slopes with a magnitude up to this"),
    Rule(
      "max-scale", \.maxScale, .above(0), standard: "no guard",
      help: "Reject slopes with a magnitude of this or more"),
    Rule(
      "min-rank-correlation", \.minRankCorrelation, .from(0, to: 1), standard: "no guard",
      help: "Reject fits whose pairs have a smaller |Spearman ρ| than this"),
    Rule(
      "min-scale-ratio", \.minScaleRatio, .atLeast(0), standard: "no guard",
      help: "Reject slopes with |α|·IQR(x)/IQR(y) up to this, without unit"),
    Rule(
      "max-scale-ratio", \.maxScaleRatio, .above(0), standard: "no guard",
      help: "Reject slopes with |α|·IQR(x)/IQR(y) of this or more, without unit"),
  ]

  /// The first value that makes no sense; nil when all do.
  public var firstProblem: OptionProblem? {
    firstOutOfRange ?? temporal.firstOutOfRange ?? local.firstProblem ?? calibrationProblem ?? contradiction
  }

  /// Values that were probably meant in another unit, as "name: why".
  public var doubts: [String] { ownDoubts + temporal.ownDoubts + local.ownDoubts }

  private var calibrationProblem: OptionProblem? {
    if let problem = Calibration(correction: correction ?? .identity, registration: registration ?? .zero)
      .firstProblem
    {
      return OptionProblem("calibration", "\(problem)")
    }
    if let noiseModel, !noiseModel.isUsable {
      return OptionProblem(
        "calibration", "a and b of at least 0, not both 0, are needed for confidence 0, 1 and 2")
    }
    return nil
  }

  /// Values that do not go together.
  private var contradiction: OptionProblem? {
    if confidenceWeights.count != 3 {
      return OptionProblem(
        "confidence-weights", "three weights are needed, for confidence 0, 1 and 2")
    }
    if weights == .calibration && noiseModel == nil {
      return OptionProblem("weights", "calibration needs \(option: "calibration") FILE.yaml")
    }
    let pairs: [(OptionName, Double?, OptionName, Double?)] = [
      ("min-depth", minDepth, "max-depth", maxDepth), ("clamp-min", clampMin, "clamp-max", clampMax),
      ("min-scale", minScale, "max-scale", maxScale),
      ("min-scale-ratio", minScaleRatio, "max-scale-ratio", maxScaleRatio),
    ]
    for case (let lower, let low?, let upper, let high?) in pairs where high <= low {
      return OptionProblem(upper, "\(high.typed) is not above \(lower) \(low.typed)")
    }
    return nil
  }
}
