import DepthCore
import Foundation

/// An expanded uncertainty checked by the propagation of distributions (JCGM 101:2008): trials draw the inputs, and the model equation makes
/// results of them.
public struct MonteCarloCheck: Sendable, Hashable, Codable {
  /// 10⁴/(1 − 0.95), as JCGM 101, 7.2.1 advises at 95 %.
  public static let usualTrials = 200_000
  /// Parts of the trials, whose intervals say how certain the ends are (JCGM 101, 7.9.4).
  private static let batches = 20

  public let trials: Int
  /// Interval with the coverage of the budget and equal tails, in the unit of the result.
  public let low: Double, high: Double
  /// Standard error of the ends because trials are random, the larger of the two.
  public let deviation: Double
  /// δ: half a unit of the second significant digit of U, as which U is stated (JCGM 101, 7.9.2).
  public let tolerance: Double
  /// Whether both ends differ from those of y ± U by δ at most (JCGM 101, 8.1), and by two standard errors of the trials.
  public let agrees: Bool

  private init(_ value: Double, _ budget: UncertaintyBudget, lows: [Double], highs: [Double], trials: Int) {
    func moments(_ ends: [Double]) -> (mean: Double, deviation: Double) {
      let mean = ends.reduce(0, +) / Double(ends.count)
      let square = ends.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(ends.count - 1)
      return (mean, (square / Double(ends.count)).squareRoot())
    }
    let (low, high) = (moments(lows), moments(highs))
    (self.trials, self.low, self.high) = (trials, low.mean, high.mean)
    deviation = max(low.deviation, high.deviation)
    tolerance = Self.tolerance(budget.expanded)
    let difference = max(
      abs(value - budget.expanded - low.mean), abs(value + budget.expanded - high.mean))
    agrees = budget.combined == 0 || difference <= tolerance + 2 * deviation
  }

  /// δ of an expanded uncertainty.
  private static func tolerance(_ expanded: Double) -> Double {
    guard expanded > 0 else { return 0 }
    let unit = pow(10, log10(expanded).rounded(.down) - 1)
    // What rounds to three digits has the next larger unit.
    return (expanded / unit).rounded() < 100 ? unit / 2 : 5 * unit
  }

  /// Checks results that depend on the same inputs; the same call gives the same bits.
  ///
  /// - Parameter results: Values with their budgets.
  /// - Parameter inputs: Their distributions; sensitivities are not used. A component with degrees of freedom has Student's distribution with u
  ///   as its scale (JCGM 101, 6.4.9).
  /// - Parameter model: Makes all results of the inputs' deviations from their estimates.
  public static func checks(
    _ results: [(value: Double, budget: UncertaintyBudget)], inputs: [UncertaintyBudget.Component],
    trials: Int = usualTrials, model: (_ deviations: [Double], _ results: inout [Double]) -> Void
  ) -> [MonteCarloCheck] {
    let sources = inputs.map(InputDraws.init)
    var generator = SplitMix64(seed: 0, stream: "monte carlo")
    var (deviations, outcome) = ([Double](repeating: 0, count: inputs.count), results.map(\.value))
    var ends = results.map { _ in (lows: [Double](), highs: [Double]()) }
    let batch = max(1, trials / batches)
    for _ in 0..<batches {
      var drawn = results.map { _ in [Double](repeating: 0, count: batch) }
      for trial in 0..<batch {
        for index in sources.indices { deviations[index] = sources[index].next(&generator) }
        model(deviations, &outcome)
        for index in outcome.indices { drawn[index][trial] = outcome[index] }
      }
      for index in results.indices {
        let tail = (1 - results[index].budget.coverage) / 2
        ends[index].lows += [OrderStatistics.quantile(tail, of: drawn[index])].compactMap(\.self)
        ends[index].highs += [OrderStatistics.quantile(1 - tail, of: drawn[index])].compactMap(\.self)
      }
    }
    return zip(results, ends).map { result, ends in
      MonteCarloCheck(
        result.value, result.budget, lows: ends.lows, highs: ends.highs, trials: batches * batch)
    }
  }
}

/// Deviations of an input from its estimate, at random (JCGM 101, 6.4).
private struct InputDraws {
  private let scale: Double, isUniform: Bool, freedom: Double?

  init(_ input: UncertaintyBudget.Component) {
    (isUniform, freedom) = (input.distribution == .uniform, input.freedom)
    scale = input.standardUncertainty * (isUniform ? 3.squareRoot() : 1)
  }

  @inline(__always) func next(_ generator: inout SplitMix64) -> Double {
    guard scale > 0 else { return 0 }
    if isUniform { return scale * Self.uniform(&generator) }
    while true {
      let (x, y) = (Self.uniform(&generator), Self.uniform(&generator))
      let w = x * x + y * y
      guard w > 0, w <= 1 else { continue }
      // The polar method: of Marsaglia for the normal distribution, of Bailey (1994) for Student's.
      let square = freedom.map { $0 * (pow(w, -2 / $0) - 1) } ?? -2 * log(w)
      return scale * x * (square / w).squareRoot()
    }
  }

  /// −1 to 1.
  @inline(__always) private static func uniform(_ generator: inout SplitMix64) -> Double {
    Double(generator.next() >> 11) * 0x1p-52 - 1
  }
}
