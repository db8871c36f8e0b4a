import DepthCore
internal import Foundation

/// What the data say about competing hypotheses: one cost per unit (frame, pair of frames, object, image block) and
/// hypothesis.
public struct Evidence: Sendable {
  /// Standard errors by which the best must beat another before that is rejected; with few units, as many more as
  /// Student's t asks for.
  public static let rejection = 3.0
  /// Standard errors from which nothing else need be asked before a file is changed.
  public static let certainty = 6.0
  /// Fewest views whose own scatter says something.
  private static let fewestViews = 4
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
  /// Share of bootstrap resamples, of views where there are several, in which the best stays the best. It says nothing of
  /// errors that all units share.
  public let shareOfResamples: Double
  public let units: Int
  /// Views behind them; nil where units are taken for views.
  public let views: Int?

  /// - Parameter costs: One row per unit, one cost per hypothesis; rows that are not finite are omitted.
  /// - Parameter leastExcess: An excess below this is none, whatever its standard error: the test's own resolution.
  /// - Parameter views: Which view each unit is of: what the units of one view have in common is counted once. nil where every
  ///   unit stands for itself.
  /// - Parameter seed: Of the resamples.
  /// - Returns: nil for fewer than two usable units.
  public init?(
    _ hypotheses: [Hypothesis], costs: [[Double]], leastExcess: Double, views: [Int]? = nil, seed: UInt64
  ) {
    self.init(
      hypotheses, costs: costs, leastExcess: leastExcess, views: views, seed: seed, resamples: Self.resamples)
  }

  /// Standard errors over views by which the second of two costs is lower than the first; negative where it is higher, nil
  /// for fewer than two usable units.
  /// - Parameter costs: Two per unit.
  static func margin(_ costs: [[Double]], views: [Int]?) -> Double? {
    let pair = [Hypothesis("first", "", fix: ""), Hypothesis("second", "", fix: "")]
    let evidence = Self(pair, costs: costs, leastExcess: 0, views: views, seed: 0, resamples: 0)
    return evidence.map { $0.margin(of: 1 - $0.best) * ($0.best == 1 ? 1 : -1) }
  }

  private init?(
    _ hypotheses: [Hypothesis], costs: [[Double]], leastExcess: Double, views: [Int]?, seed: UInt64,
    resamples: Int
  ) {
    let usable = costs.indices.filter {
      costs[$0].count == hypotheses.count && costs[$0].allSatisfy(\.isFinite)
    }
    let rows = usable.map { costs[$0] }
    guard rows.count >= 2, !hypotheses.isEmpty else { return nil }
    let clusters = Self.clusters(views.map { views in usable.map { views[$0] } }, count: rows.count)
    let count = Double(rows.count)
    let means = hypotheses.indices.map { h in rows.reduce(0) { $0 + $1[h] } / count }
    let best = means.indices.reduce(0) { means[$1] < means[$0] ? $1 : $0 }
    let excesses = hypotheses.indices.map { h -> (mean: Double, standardError: Double) in
      let mean = means[h] - means[best]
      let differences = rows.map { $0[h] - $0[best] }
      let error = Self.standardError(differences)
      guard views != nil, clusters.count >= Self.fewestViews else { return (mean, error) }
      let ofViews = clusters.map { view in view.reduce(0) { $0 + differences[$1] } / Double(view.count) }
      return (mean, max(error, Self.standardError(ofViews)))
    }
    consistent = hypotheses.indices.filter { h in
      h == best || excesses[h].mean < leastExcess
        || Self.margin(excesses[h], units: rows.count) < Self.rejection
    }
    margin =
      hypotheses.indices.filter { $0 != best }.map { Self.margin(excesses[$0], units: rows.count) }.min()
    let drawn = views != nil && clusters.count >= Self.fewestViews ? clusters : rows.indices.map { [$0] }
    let generator = SplitMix64(seed: seed, stream: hypotheses.map(\.id).joined(separator: "|"))
    shareOfResamples = Self.shareOfResamples(
      drawn.map { units in hypotheses.indices.map { h in units.reduce(0) { $0 + rows[$1][h] } } },
      best: best, resamples: resamples, generator)
    (self.hypotheses, meanCosts, self.best, self.excesses, units) = (
      hypotheses, means, best, excesses, rows.count
    )
    self.views = views == nil ? nil : clusters.count
  }

  /// Share of resamples in which no sum is below that of the best.
  /// - Parameter sums: Of the costs of what is drawn as one, by hypothesis.
  private static func shareOfResamples(
    _ sums: [[Double]], best: Int, resamples: Int, _ generator: SplitMix64
  ) -> Double {
    guard resamples > 0, let width = sums.first?.count else { return 1 }
    var generator = generator
    let flat = sums.flatMap(\.self), count = UInt64(sums.count)
    var drawn = [Double](repeating: 0, count: width), wins = 0
    flat.withUnsafeBufferPointer { flat in
      drawn.withUnsafeMutableBufferPointer { drawn in
        for _ in 0..<resamples {
          drawn.update(repeating: 0)
          for _ in 0..<count {
            let row = Int(generator.next().multipliedFullWidth(by: count).high) * width
            for h in 0..<width { drawn[h] += flat[row + h] }
          }
          if drawn.allSatisfy({ $0 >= drawn[best] }) { wins += 1 }
        }
      }
    }
    return Double(wins) / Double(resamples)
  }

  /// Units by view, in order of appearance.
  private static func clusters(_ views: [Int]?, count: Int) -> [[Int]] {
    guard let views else { return (0..<count).map { [$0] } }
    return views.firstAppearances.map { view in views.indices.filter { views[$0] == view } }
  }

  /// Of the mean.
  private static func standardError(_ values: [Double]) -> Double {
    let count = Double(values.count), mean = values.reduce(0, +) / count
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / (count - 1) / count).squareRoot()
  }

  /// Standard errors by which a reading falls behind the best one.
  public func margin(of hypothesis: Int) -> Double { Self.margin(excesses[hypothesis], units: units) }

  /// The normal deviate as improbable as a mean over its standard error of so many units.
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
