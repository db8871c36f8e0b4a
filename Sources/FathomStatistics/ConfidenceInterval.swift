import DepthCore

/// A 95 % interval of a statistic over scenes: Student's t, with unequal tails where scenes may be skewed.
///
/// Errors near zero can hardly be smaller but much larger, and scenes that were not sampled may be of these. So the nearer a limit of the
/// statistic, in standard deviations of the scenes, the more of the 5 % lies beyond the end at the limit, and the less beyond the other, down to
/// ``longTail``: normal scenes are held in 95 % of cases all the same. A statistic without limits, such as a difference, has ``longTail`` on the side to
/// which the scenes are skewed and ``tail`` on the other. `docs/statistics.md` compares this with bootstrap-t, BCa and corrections for skewness.
/// BCa, which is too narrow for few scenes, stands beside it.
/// - SeeAlso: Efron & Tibshirani 1993, chapter 14 (BCa).
public struct ConfidenceInterval: Sendable, Equatable {
  public let low: Double, high: Double
  /// Bias-corrected and accelerated.
  public let bcaLow: Double, bcaHigh: Double
  package static let tail = 0.025  // Probability beyond each end of an interval with equal tails.
  package static let longTail = 0.004  // Beyond the end towards which scenes that were not sampled may lie.
  /// Standard deviation of the scenes over the distance to a limit, from which on that limit counts in full.
  package static let fullSpread = 0.4
  /// Skewness of the scenes from which on a side has all of ``longTail``: a quarter of its standard deviation of few normal scenes.
  private static let fullSkewness = 0.15
  /// Fewest scenes that have an interval: three are little more than their range.
  public static let fewestScenes = 4

  /// - Parameter replicates: The statistic of each distinct resample of the scenes.
  /// - Parameter multiplicities: How often each was drawn.
  /// - Parameter jackknife: The statistic without each scene in turn.
  /// - Parameter isRoot: Whether it is a root, whose relative spread is half of that of what it is the root of.
  /// - Parameter possible: Values that the statistic can have.
  /// - Returns: nil where something is not finite. All replicates equal, up to rounding, give `[estimate, estimate]`.
  init?(
    estimate: Double, replicates: [Double], multiplicities: [Int], jackknife: [Double],
    isRoot: Bool, possible: ClosedRange<Double>
  ) {
    guard estimate.isFinite, replicates.allSatisfy(\.isFinite), jackknife.allSatisfy(\.isFinite),
      let smallest = replicates.min(), let largest = replicates.max()
    else { return nil }
    let tolerance = 1e-12 * max(abs(smallest), abs(largest))
    guard largest - smallest > tolerance else {
      (low, high, bcaLow, bcaHigh) = (estimate, estimate, estimate, estimate)
      return
    }
    let scenes = Double(jackknife.count)
    let (error, skewness) = Self.moments(jackknife)
    let deviation = (isRoot ? 2 : 1) * scenes.squareRoot() * error
    let tails = Self.tails(estimate, deviation: deviation, skewness: skewness, possible)
    func reach(_ tail: Double) -> Double {
      StudentDistribution.criticalValue(2 * tail, freedom: scenes - 1) * error
    }
    low = max(estimate - reach(tails.low), possible.lowerBound)
    high = min(estimate + reach(tails.high), possible.upperBound)
    (bcaLow, bcaHigh) = Self.bca(
      estimate: estimate, replicates: replicates, multiplicities: multiplicities,
      acceleration: skewness / (6 * scenes.squareRoot()), tolerance: tolerance)
  }

  /// Probabilities beyond the ends.
  /// - Parameter deviation: Standard deviation of the scenes.
  private static func tails(
    _ estimate: Double, deviation: Double, skewness: Double, _ possible: ClosedRange<Double>
  ) -> (low: Double, high: Double) {
    let shift = tail - longTail
    guard possible.lowerBound.isFinite || possible.upperBound.isFinite else {
      let side = max(-1, min(1, skewness / fullSkewness))
      return (tail + shift * min(0, side), tail - shift * max(0, side))
    }
    func nearness(_ distance: Double) -> Double {
      distance > 0 ? min(1, deviation / (fullSpread * distance)) : 1
    }
    let side = nearness(estimate - possible.lowerBound) - nearness(possible.upperBound - estimate)
    return (tail + shift * side, tail - shift * side)
  }

  private static func bca(
    estimate: Double, replicates: [Double], multiplicities: [Int], acceleration: Double, tolerance: Double
  ) -> (low: Double, high: Double) {
    // As scipy: half of those that equal the estimate count as below it.
    var (below, equal) = (0, 0)
    for (value, multiplicity) in zip(replicates, multiplicities) {
      if abs(value - estimate) <= tolerance {
        equal += multiplicity
      } else if value < estimate {
        below += multiplicity
      }
    }
    let distribution = WeightedSample(replicates, multiplicities)
    let share = (Double(below) + Double(equal) / 2) / Double(distribution.count)
    let bias = NormalDistribution.quantile(share)
    func level(_ p: Double) -> Double {
      guard bias.isFinite else { return p }
      let z = bias + NormalDistribution.quantile(p)
      return NormalDistribution.cumulative(bias + z / (1 - acceleration * z))
    }
    return (distribution.quantile(level(tail)), distribution.quantile(level(1 - tail)))
  }

  /// Of the statistic, and of what the scenes add to it: √((n − 1)/n·Σ(θ̄ − θᵢ)²), and √n·Σ(θ̄ − θᵢ)³/(Σ(θ̄ − θᵢ)²)^1.5, or 0 where all are
  /// equal. Of a mean these are s/√n and the skewness of the values.
  private static func moments(_ jackknife: [Double]) -> (standardError: Double, skewness: Double) {
    let count = Double(jackknife.count)
    let mean = jackknife.reduce(0, +) / count
    var (squares, cubes) = (0.0, 0.0)
    for value in jackknife {
      let d = mean - value
      squares += d * d
      cubes += d * d * d
    }
    let skewness = squares > 0 ? count.squareRoot() * cubes / (squares * squares.squareRoot()) : 0
    return (((count - 1) / count * squares).squareRoot(), skewness)
  }

  /// Whether zero lies outside.
  public var excludesZero: Bool { low > 0 || high < 0 }
}

/// Values that were each drawn a number of times.
private struct WeightedSample {
  /// Ascending, unless each was drawn once: two quantiles of many values need no order of all.
  private let values: [Double]
  private let cumulative: [Int]  // Draws up to and including each value; empty where each was drawn once.
  let count: Int

  init(_ values: [Double], _ multiplicities: [Int]) {
    guard multiplicities.contains(where: { $0 != 1 }) else {
      (self.values, cumulative, count) = (values, [], values.count)
      return
    }
    let order = RadixOrder.positions(values)
    self.values = order.map { values[$0] }
    var total = 0
    cumulative = order.map { position in
      total += multiplicities[position]
      return total
    }
    count = total
  }

  /// Linear between order statistics, as numpy does.
  /// - Precondition: not empty.
  func quantile(_ q: Double) -> Double {
    let position = max(0, min(1, q)) * Double(count - 1)
    let rank = Int(position.rounded(.down))
    let (lower, upper) =
      cumulative.isEmpty
      ? OrderStatistics.neighbours(of: rank, in: values) : (value(rank), value(min(rank + 1, count - 1)))
    let share = position - Double(rank)
    return share > 0 ? lower + (upper - lower) * share : lower
  }

  /// The draw of a rank, from 0.
  private func value(_ rank: Int) -> Double {
    var (low, high) = (0, cumulative.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] > rank { high = middle } else { low = middle + 1 }
    }
    return values[low]
  }
}
