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
  /// Fits; the generator is the only source of randomness.
  public let fit: @Sendable (FitProblem, FusionOptions, inout SplitMix64) throws(FitError) -> LineFit

  init(
    id: String, title: String, source: String, defaultMinConfidence: UInt8 = 2,
    isConfidenceWeighted: Bool = false,
    fit: @escaping @Sendable (FitProblem, FusionOptions, inout SplitMix64) throws(FitError) -> LineFit
  ) {
    self.id = id
    self.title = title
    self.source = source
    self.defaultMinConfidence = defaultMinConfidence
    self.isConfidenceWeighted = isConfidenceWeighted
    self.fit = fit
  }

  /// Every estimator, in the order of tables.
  public static let all: [Estimator] = [
    .ols, .wls, .huber, .tukey, .lad, .truncatedL1, .theilSen, .lmeds, .trimmed, .ransac, .loRANSAC,
    .medianScale,
  ]
}
