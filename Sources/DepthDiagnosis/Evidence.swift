import DepthCore
internal import Foundation

/// What the data say about competing hypotheses: one cost per unit (frame, pair of frames, object, image block) and
/// hypothesis.
public struct Evidence: Sendable {
  /// Standard errors by which the best must beat another before that is rejected; with few units, as many more as
  /// Student's t asks for.
  public static let rejection = 3.0
  /// Resamples behind a confidence.
  public static let resamples = 2000

  /// In the order of the costs.
  public let hypotheses: [Hypothesis]
  /// Mean cost of each, in the test's unit; lower is better.
  public let meanCosts: [Double]
  /// Mean excess of each over the best, and its standard error over units; 0 and 0 for the best.
  public let excesses: [(mean: Double, standardError: Double)]
  /// Standard errors between the best and the next one, as those of a normal distribution; nil for one hypothesis.
  public let margin: Double?
  /// Position of the smallest mean cost.
  public let best: Int
  /// Hypotheses that the data cannot tell from the best, the best among them.
  public let consistent: [Int]
  /// Share of bootstrap resamples of the units in which the best stays the best.
  public let confidence: Double
  /// Units behind it.
  public let units: Int

  /// - Parameters:
  ///   - costs: One row per unit, one cost per hypothesis; rows that are not finite are left out.
  ///   - leastExcess: An excess below this is none, whatever its standard error: the test's own resolution.
  ///   - seed: Of the resamples.
  /// - Returns: nil for fewer than two usable units.
  public init?(_ hypotheses: [Hypothesis], costs: [[Double]], leastExcess: Double, seed: UInt64) {
    let rows = costs.filter { $0.count == hypotheses.count && $0.allSatisfy(\.isFinite) }
    guard rows.count >= 2, !hypotheses.isEmpty else { return nil }
    let count = Double(rows.count)
    let means = hypotheses.indices.map { h in rows.reduce(0) { $0 + $1[h] } / count }
    let best = means.indices.reduce(0) { means[$1] < means[$0] ? $1 : $0 }
    let excesses = hypotheses.indices.map { h -> (mean: Double, standardError: Double) in
      let mean = means[h] - means[best]
      let squares = rows.reduce(0) { sum, row in
        let deviation = row[h] - row[best] - mean
        return sum + deviation * deviation
      }
      return (mean, (squares / (count - 1) / count).squareRoot())
    }
    consistent = hypotheses.indices.filter { h in
      h == best || excesses[h].mean < leastExcess
        || Self.margin(excesses[h], units: rows.count) < Self.rejection
    }
    margin =
      hypotheses.indices.filter { $0 != best }.map { Self.margin(excesses[$0], units: rows.count) }.min()
    var generator = SplitMix64(seed: seed, stream: hypotheses.map(\.id).joined(separator: "|"))
    var wins = 0
    for _ in 0..<Self.resamples {
      var sums = [Double](repeating: 0, count: hypotheses.count)
      for _ in rows {
        let row = rows[Int(generator.next().multipliedFullWidth(by: UInt64(rows.count)).high)]
        for h in sums.indices { sums[h] += row[h] }
      }
      if sums.indices.allSatisfy({ sums[$0] >= sums[best] }) { wins += 1 }
    }
    confidence = Double(wins) / Double(Self.resamples)
    (self.hypotheses, meanCosts, self.best, self.excesses, units) = (
      hypotheses, means, best, excesses, rows.count
    )
  }

  /// The normal deviate as improbable as a mean over its standard error of so many units.
  ///
  /// - SeeAlso: Wallace 1959, Bounds on normal approximations to Student's and the chi-square distributions, eq. 5.
  public static func margin(_ excess: (mean: Double, standardError: Double), units: Int) -> Double {
    let freedom = Double(units - 1)
    // A cost that is the same in every unit is a difference of rounding.
    let t = excess.mean / max(excess.standardError, 1e-6 * abs(excess.mean), 1e-300)
    return (8 * freedom + 1) / (8 * freedom + 3) * (freedom * (t * t / freedom).logOnePlus).squareRoot()
  }
}

extension Double {
  fileprivate var logOnePlus: Double { Foundation.log1p(self) }
}
