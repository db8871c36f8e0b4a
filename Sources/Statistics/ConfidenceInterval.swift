/// A 95 % interval of a statistic from its bootstrap distribution.
///
/// - SeeAlso: Efron 1987, "Better bootstrap confidence intervals"; Efron & Tibshirani 1993, chapter 14.
public struct ConfidenceInterval: Sendable, Equatable {
  /// Bias-corrected and accelerated.
  public let low: Double, high: Double
  /// Plain percentiles of the same resamples.
  public let percentileLow: Double, percentileHigh: Double

  /// Probability left out on each side.
  package static let tail = 0.025

  /// - Parameters:
  ///   - estimate: The statistic of all scenes.
  ///   - replicates: The statistic of each distinct resample.
  ///   - multiplicities: How often each was drawn.
  ///   - jackknife: The statistic without each scene in turn.
  /// - Returns: nil where something is not finite. All replicates equal, up to rounding, give `[estimate, estimate]`.
  package init?(estimate: Double, replicates: [Double], multiplicities: [Int], jackknife: [Double]) {
    guard estimate.isFinite, replicates.allSatisfy(\.isFinite), jackknife.allSatisfy(\.isFinite),
      let smallest = replicates.min(), let largest = replicates.max()
    else { return nil }
    let tolerance = 1e-12 * max(abs(smallest), abs(largest))
    guard largest - smallest > tolerance else {
      (low, high, percentileLow, percentileHigh) = (estimate, estimate, estimate, estimate)
      return
    }
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
    (percentileLow, percentileHigh) = (
      distribution.quantile(Self.tail), distribution.quantile(1 - Self.tail)
    )
    (low, high) = (distribution.quantile(level(Self.tail)), distribution.quantile(level(1 - Self.tail)))
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
  private let values: [Double]
  /// Draws up to and including each value; empty where each was drawn once.
  private let cumulative: [Int]
  let count: Int

  init(_ values: [Double], _ multiplicities: [Int]) {
    guard multiplicities.contains(where: { $0 != 1 }) else {
      (self.values, cumulative, count) = (values.sorted(), [], values.count)
      return
    }
    let drawn = zip(values, multiplicities).sorted { $0.0 < $1.0 }
    self.values = drawn.map { $0.0 }
    var total = 0
    cumulative = drawn.map { draw in
      total += draw.1
      return total
    }
    count = total
  }

  /// Linear between order statistics, as numpy does.
  func quantile(_ q: Double) -> Double {
    let position = max(0, min(1, q)) * Double(count - 1)
    let rank = Int(position.rounded(.down))
    let lower = value(rank)
    let share = position - Double(rank)
    return share > 0 ? lower + (value(rank + 1) - lower) * share : lower
  }

  /// The draw of a rank, from 0.
  private func value(_ rank: Int) -> Double {
    guard !cumulative.isEmpty else { return values[rank] }
    var (low, high) = (0, cumulative.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] > rank { high = middle } else { low = middle + 1 }
    }
    return values[low]
  }
}
