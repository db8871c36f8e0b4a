import FathomStatistics

/// A mean over truth pixels, and what it would be against a truth without noise: simulation and extrapolation (SIMEX; Cook & Stefanski 1994).
///
/// Were normal noise of λ times the truth's own variance added to the truth, the measure's expectation is known at every pixel. A
/// polynomial through the means for λ = 0, ½, 1, 1½ and 2 is continued to λ = −1.
package struct NoiseExtrapolation: Sendable, BitwiseCopyable {
  /// Of the stored truth; by the polynomial of degree 2, by least squares; by that of degree 4.
  package private(set) var measured = 0.0, quadratic = 0.0, quartic = 0.0

  private static let steps = [0, 0.5, 1, 1.5, 2]
  /// Weights of the means at ``steps`` in the polynomials at λ = −1.
  private static let quadraticWeights = [3, -0.4, -1.8, -1.2, 1.4],
    quarticWeights: [Double] = [15, -40, 45, -24, 5]
  /// Share of the mean square error that the noise may make up: beyond it the polynomials are too far apart.
  package static let mostNoise = 0.36

  /// Adds a pixel without noise, or one that is not extrapolated.
  mutating func add(_ value: Double) {
    measured += value
    quadratic += value
    quartic += value
  }

  /// Adds how much the extrapolations of a pixel differ from its value.
  /// - Parameter value: As it is measured.
  /// - Parameter factor: Pixels that this one stands for.
  /// - Parameter expectation: Under added noise of a standard deviation, metres.
  mutating func correct(
    _ value: Double, deviation: Double, factor: Double, _ expectation: (Double) -> Double
  ) {
    var (two, four) = (0.0, 0.0)
    for (index, step) in Self.steps.enumerated() {
      let value = step == 0 ? value : expectation(step.squareRoot() * deviation)
      two += Self.quadraticWeights[index] * value
      four += Self.quarticWeights[index] * value
    }
    quadratic += factor * (two - value)
    quartic += factor * (four - value)
  }

  func divided(by count: Double) -> NoiseExtrapolation {
    NoiseExtrapolation(measured: measured / count, quadratic: quadratic / count, quartic: quartic / count)
  }
}

/// MAE, AbsRel and δ₁ of a frame against a truth without noise.
package struct NoiseFreeErrors: Sendable, BitwiseCopyable {
  package static let columns: [MetricColumn] = [.mae, .absRel, delta1]
  private static let delta1 = MetricColumn(.delta1)
  private var mae = NoiseExtrapolation(), absRel = NoiseExtrapolation(), delta = NoiseExtrapolation()

  package subscript(_ column: MetricColumn) -> NoiseExtrapolation? {
    switch column {
    case .mae: mae
    case .absRel: absRel
    case Self.delta1: delta
    default: nil
    }
  }

  /// Pixels of a frame whose extrapolation is computed: the others count with their mean.
  private static let most = 16_384
  private static let limit = 1.25

  /// - Parameter pairs: Prediction and truth of every truth pixel that is predicted, metres.
  /// - Parameter deviations: Of the truth, metres, as many.
  /// - Parameter truthCount: Truth pixels, predicted or not: δ counts all of them.
  init(_ pairs: [(d: Double, g: Double)], deviations: [Double], truthCount: Int) {
    let stride = max(1, (pairs.count + Self.most - 1) / Self.most)
    let factor = Double(pairs.count) / Double((pairs.count + stride - 1) / stride)
    for (index, (d, g)) in pairs.enumerated() {
      let error = abs(d - g), isWithin = max(d / g, g / d) < Self.limit ? 1.0 : 0
      mae.add(error)
      absRel.add(error / g)
      delta.add(isWithin)
      let deviation = deviations[index]
      guard index % stride == 0, deviation > 0 else { continue }
      mae.correct(error, deviation: deviation, factor: factor) { Self.folded(d - g, $0) }
      absRel.correct(error / g, deviation: deviation, factor: factor) { s in
        // To the second order of s/g.
        Self.folded(d / g - 1 + d * s * s / (g * g * g), d * s / (g * g))
      }
      delta.correct(isWithin, deviation: deviation, factor: factor) { s in
        NormalDistribution.cumulative((Self.limit * d - g) / s)
          - NormalDistribution.cumulative((d / Self.limit - g) / s)
      }
    }
    let count = Double(max(1, pairs.count))
    (mae, absRel) = (mae.divided(by: count), absRel.divided(by: count))
    delta = delta.divided(by: Double(max(1, truthCount)))
  }

  init() {}

  /// E|x| of a normal x.
  private static func folded(_ mean: Double, _ deviation: Double) -> Double {
    let z = mean / deviation
    guard abs(z) < 9 else { return abs(mean) }
    return mean * (1 - 2 * NormalDistribution.cumulative(-z)) + 2 * deviation * NormalDistribution.density(z)
  }
}
