public import DepthCore

/// A way to fit a line to weighted pairs.
///
/// A new estimator is one file with a `static let` and one entry in ``all``; commands, tables and reports
/// take it from here.
public struct Estimator: Sendable, Identifiable {
  /// Stable name: "ols".
  public let id: String
  /// For people: "least squares".
  public let title: String
  /// Paper or routine that defines it.
  public let source: String
  /// Confidence from which pairs are used unless the options say otherwise.
  public let defaultMinConfidence: UInt8
  /// Whether a pair's confidence becomes its weight.
  public let isConfidenceWeighted: Bool
  /// Whether it is plain or weighted least squares, so that sums over the pairs are all it needs of them.
  public let isLeastSquares: Bool
  /// Whether ``FusionOptions/inlierThreshold`` decides what it counts.
  public let usesInlierThreshold: Bool
  /// Fits; the generator is the only source of randomness.
  public let fit: @Sendable (FitProblem, FusionOptions, inout SplitMix64) throws(FitError) -> LineFit

  init(
    id: String, title: String, source: String, defaultMinConfidence: UInt8 = 2,
    isConfidenceWeighted: Bool = false, isLeastSquares: Bool = false, usesInlierThreshold: Bool = false,
    fit: @escaping @Sendable (FitProblem, FusionOptions, inout SplitMix64) throws(FitError) -> LineFit
  ) {
    (self.id, self.title, self.source, self.defaultMinConfidence) = (id, title, source, defaultMinConfidence)
    (self.isConfidenceWeighted, self.isLeastSquares) = (isConfidenceWeighted, isLeastSquares)
    (self.usesInlierThreshold, self.fit) = (usesInlierThreshold, fit)
  }

  /// What weighs the pairs: the options' choice, else the estimator's own.
  func weighing(under options: FusionOptions) -> PairWeights {
    options.weights ?? (isConfidenceWeighted ? .confidence : .none)
  }

  /// Lowest confidence of a pair: the options' choice, else the estimator's own; 1 where confidence is the weight, because
  /// a table of weights is useless where only one level is let in.
  public func minConfidence(under options: FusionOptions) -> UInt8 {
    options.minConfidence
      ?? (weighing(under: options).usesConfidence ? min(1, defaultMinConfidence) : defaultMinConfidence)
  }

  /// Every estimator, in the order of tables.
  public static let all: [Estimator] = [
    .ols, .wls, .huber, .tukey, .lad, .truncatedL1, .theilSen, .lmeds, .trimmed, .ransac, .loRANSAC,
    .medianScale,
  ]
}
