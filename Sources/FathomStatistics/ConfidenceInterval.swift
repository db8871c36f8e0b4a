import DepthCore

/// A 95 % interval of a statistic over scenes, from its values in resamples of the scenes.
///
/// Up to ``mostScenesByResamplesAlone`` scenes it is the bootstrap-t interval, from there on the outer ends of that and of Student's: the
/// choice that holds its level in simulation for scenes that are normal, have heavy tails or are skewed
/// (`docs/statistics.md`). BCa, which is too narrow for few scenes, stands beside it.
/// - SeeAlso: Efron & Tibshirani 1993, §12.5 (bootstrap-t) and chapter 14 (BCa).
public struct ConfidenceInterval: Sendable, Equatable {
  public let low: Double, high: Double
  /// Bias-corrected and accelerated.
  public let bcaLow: Double, bcaHigh: Double
  package static let tail = 0.025  // Probability beyond each end.
  /// Fewest scenes that have an interval: three are little more than their range.
  public static let fewestScenes = 4
  /// Most scenes for which resamples alone decide; from more, Student's interval is a bound, because resamples understate heavy tails.
  package static let mostScenesByResamplesAlone = 7
  /// An end is at most so many times as far away as Student's: resamples of few scenes that are nearly equal go to infinity.
  package static let farthest = 3.0

  /// - Parameter resampled: The statistic of all scenes and of each distinct resample.
  /// - Parameter multiplicities: How often each was drawn.
  /// - Parameter jackknife: The statistic without each scene in turn.
  /// - Parameter possible: Values that the statistic can have.
  /// - Returns: nil where something is not finite. All replicates equal, up to rounding, give `[estimate, estimate]`.
  init?(
    _ resampled: ResampledStatistic, multiplicities: [Int], jackknife: [Double], possible: ClosedRange<Double>
  ) {
    let (estimate, replicates) = (resampled.estimate, resampled.replicates)
    guard estimate.isFinite, replicates.allSatisfy(\.isFinite), jackknife.allSatisfy(\.isFinite),
      let smallest = replicates.min(), let largest = replicates.max()
    else { return nil }
    let tolerance = 1e-12 * max(abs(smallest), abs(largest))
    guard largest - smallest > tolerance else {
      (low, high, bcaLow, bcaHigh) = (estimate, estimate, estimate, estimate)
      return
    }
    let ends = Self.studentized(resampled, multiplicities, scenes: jackknife.count)
    (low, high) = (max(ends.low, possible.lowerBound), min(ends.high, possible.upperBound))
    (bcaLow, bcaHigh) = Self.bca(
      estimate: estimate, replicates: replicates, multiplicities: multiplicities, jackknife: jackknife,
      tolerance: tolerance)
  }

  /// [θ − s·q(0.975), θ − s·q(0.025)], with the quantiles of (θ* − θ)/s* in place of Student's.
  private static func studentized(
    _ resampled: ResampledStatistic, _ multiplicities: [Int], scenes: Int
  ) -> (low: Double, high: Double) {
    let student = StudentDistribution.criticalValue(2 * tail, freedom: Double(scenes - 1))
    let known = resampled.pivots.indices.filter { resampled.pivots[$0] != nil }
    var (below, above) = (student, student)
    if !known.isEmpty {
      let distribution = WeightedSample(
        known.compactMap { resampled.pivots[$0] }, known.map { multiplicities[$0] })
      let least = scenes > mostScenesByResamplesAlone ? student : 0
      below = min(max(distribution.quantile(1 - tail), least), farthest * student)
      above = min(max(-distribution.quantile(tail), least), farthest * student)
    }
    let (estimate, error) = (resampled.estimate, resampled.standardError)
    return (estimate - below * error, estimate + above * error)
  }

  private static func bca(
    estimate: Double, replicates: [Double], multiplicities: [Int], jackknife: [Double], tolerance: Double
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
    let acceleration = Self.acceleration(jackknife)
    func level(_ p: Double) -> Double {
      guard bias.isFinite else { return p }
      let z = bias + NormalDistribution.quantile(p)
      return NormalDistribution.cumulative(bias + z / (1 - acceleration * z))
    }
    return (distribution.quantile(level(tail)), distribution.quantile(level(1 - tail)))
  }

  /// Σ(θ̄−θᵢ)³ / (6·(Σ(θ̄−θᵢ)²)^1.5); 0 where all are equal.
  private static func acceleration(_ jackknife: [Double]) -> Double {
    let mean = jackknife.reduce(0, +) / Double(jackknife.count)
    var (squares, cubes) = (0.0, 0.0)
    for value in jackknife {
      let d = mean - value
      squares += d * d
      cubes += d * d * d
    }
    return squares > 0 ? cubes / (6 * squares * squares.squareRoot()) : 0
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
