import FathomStatistics

/// A difference over scenes, and how well that many scenes determine it.
public struct PairedGain: Sendable, Hashable {
  /// Mean of the differences, or difference of the worst scenes.
  public let mean: Double
  /// Of the mean; of the worst scenes by the jackknife; nil for fewer than two scenes. Where the differences come from
  /// choices whose training scenes overlap, it is larger by their dependence.
  public let standardError: Double?
  /// Scenes behind it.
  public let scenes: Int

  /// The mean of one difference per scene.
  /// - Parameter folds: Parts in which scenes were held out, where the differences are those of choices made from the other parts:
  ///   such choices share most of their scenes, and their variance is that of independent ones times 1 + k/(k − 1) (Nadeau & Bengio
  ///   2003, "Inference for the generalization error", eq. 8). nil for differences that do not depend on each other.
  public init(_ differences: [Double], folds: Int? = nil) {
    let count = Double(differences.count)
    let mean = differences.reduce(0, +) / max(1, count)
    let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    self.init(
      mean, variance: differences.count > 1 ? squares / (count - 1) / count : nil,
      scenes: differences.count, folds)
  }

  /// The losses of a table's scenes less others of the same scenes, as its objective counts them.
  init(_ first: [Double], minus second: [Double], folds: Int? = nil, in table: LossTable) {
    guard table.isWorstScene else {
      self.init(zip(first, second).map { $0 - $1 }, folds: folds)
      return
    }
    let count = Double(first.count)
    let without = first.indices.map { left in
      table.statistic(Self.without(left, first)) - table.statistic(Self.without(left, second))
    }
    let centre = without.reduce(0, +) / max(1, count)
    let squares = without.reduce(0) { $0 + ($1 - centre) * ($1 - centre) }
    self.init(
      table.statistic(first) - table.statistic(second),
      variance: first.count > 1 ? squares * (count - 1) / count : nil, scenes: first.count, folds)
  }

  private init(_ mean: Double, variance: Double?, scenes: Int, _ folds: Int?) {
    (self.mean, self.scenes) = (mean, scenes)
    let overlap = folds.map { 1 + Double($0) / Double($0 - 1) } ?? 1
    standardError = variance.map { ($0 * overlap).squareRoot() }
  }

  private static func without(_ left: Int, _ values: [Double]) -> [Double] {
    var rest = values
    rest.remove(at: left)
    return rest
  }

  /// Student's interval. Unlike percentiles of resampled scenes it is not too narrow for few of them.
  /// - Parameter level: Probability that such intervals hold the true value: 0.99.
  public func interval(_ level: Double) -> ClosedRange<Double>? {
    guard let standardError else { return nil }
    let reach = StudentDistribution.criticalValue(1 - level, freedom: Double(scenes - 1)) * standardError
    return mean - reach...mean + reach
  }
}
