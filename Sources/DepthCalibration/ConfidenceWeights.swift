public import DepthCore

/// Weights per confidence and one noise law per level, from the levels that were measured.
///
/// The weight of a level is the mean of 1/σ²(d) over the bins of range, up to ``farthest``, that have pixels; divided by that of
/// level 2 (of the best measured level where there is no 2). A level that was not measured takes the law of the next better
/// measured one and weight 0; better than every measured one, it takes law and weight of the best of these.
public struct ConfidenceWeights: Sendable, Hashable {
  /// The specified fusion uses depths below this, metres.
  public static let farthest = 4.0
  /// Of confidence 0, 1, 2; the largest usually 1.
  public let weights: [Double]
  /// σ(d) of confidence 0, 1, 2.
  public let laws: [RangeLaw]
  /// Levels whose law and weight are assumptions.
  public let unmeasured: [Int]

  /// - Parameter noise: What was measured; nil for a level that was not.
  /// - Parameter bins: Numbers of the bins of true depth that have pixels.
  /// - Returns: nil where no level was measured.
  public init?(_ noise: [NoiseParameters?], bins: [Int]) {
    let measured = (0...2).filter { noise[$0] != nil }
    guard let best = measured.last else { return nil }
    let centres = bins.sorted().map { (Double($0) + 0.5) * CalibrationPlan.binWidth }
    let near = centres.filter { $0 < Self.farthest }
    let depths = near.isEmpty ? centres : near
    func precision(_ level: Int) -> Double {
      guard let noise = noise[level] else { return 0 }
      return depths.reduce(0) { $0 + 1 / noise.variance(at: $1) } / Double(max(1, depths.count))
    }
    let reference = precision(best)
    var (weights, laws) = ([Double](), [RangeLaw]())
    for level in 0...2 {
      let source = measured.first { $0 >= level } ?? best
      laws.append(noise[source].map(Self.usable) ?? .constant)
      let weight = reference > 0 ? precision(source) / reference : 1
      weights.append(source > level ? 0 : weight)
    }
    (self.weights, self.laws) = (weights, laws)
    unmeasured = (0...2).filter { !measured.contains($0) }
  }

  /// A law without any noise would weigh infinitely.
  private static func usable(_ noise: NoiseParameters) -> RangeLaw {
    noise.law.isUsable ? noise.law : RangeLaw(a: NoiseParameters.leastVariance.squareRoot(), b: 0)
  }
}
