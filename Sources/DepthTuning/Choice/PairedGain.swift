import DepthEvaluation

/// Mean of one difference per scene, and how well that many scenes determine it.
public struct PairedGain: Sendable, Hashable {
  /// Mean difference.
  public let mean: Double
  /// Of the mean; nil for fewer than two scenes. Where the differences come from choices whose training scenes overlap,
  /// it is larger by their dependence.
  public let standardError: Double?
  /// Scenes behind it.
  public let scenes: Int

  /// - Parameter folds: Parts in which scenes were held out, where every difference is that of a choice made from the
  ///   other parts: such choices share most of their scenes, and their variance is that of independent ones times
  ///   1 + k/(k − 1) (Nadeau & Bengio 2003, "Inference for the generalization error", eq. 8). nil for independent differences.
  public init(_ differences: [Double], folds: Int? = nil) {
    scenes = differences.count
    let mean = differences.reduce(0, +) / Double(max(1, scenes))
    self.mean = mean
    guard scenes > 1 else {
      standardError = nil
      return
    }
    let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let overlap = folds.map { 1 + Double($0) / Double($0 - 1) } ?? 1
    standardError = (squares / Double(scenes - 1) / Double(scenes) * overlap).squareRoot()
  }

  /// Student's interval of the mean. Unlike percentiles of resampled scenes it is not too narrow for few of them.
  ///
  /// - Parameter level: Probability that such intervals hold the true mean: 0.99.
  public func interval(_ level: Double) -> ClosedRange<Double>? {
    guard let standardError else { return nil }
    let reach = StudentDistribution.criticalValue(1 - level, freedom: Double(scenes - 1)) * standardError
    return mean - reach...mean + reach
  }
}
