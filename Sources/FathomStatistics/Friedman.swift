/// Friedman's test of k methods over n scenes, and Nemenyi's critical difference of mean ranks.
/// - SeeAlso: Demšar 2006, "Statistical comparisons of classifiers over multiple data sets", §3.2.
public struct Friedman: Sendable, Equatable {
  /// Mean rank per method; 1 is the lowest error. Ties share the mean of their ranks.
  public let meanRanks: [Double]
  /// Number of scenes n.
  public let scenes: Int
  /// Friedman's χ², corrected for ties; 0 where every scene ties all methods.
  public let chiSquared: Double
  /// Its p with k − 1 degrees of freedom.
  public let pValue: Double
  /// Iman & Davenport's F, less conservative with few scenes; infinite where every scene ranks alike.
  public let imanDavenportF: Double
  /// Its p with k − 1 and (k − 1)(n − 1) degrees of freedom.
  public let imanDavenportP: Double

  /// - Parameter errors: One row per scene, one error per method; lower is better.
  /// - Precondition: at least two scenes, at least three methods, rows of equal length.
  public init(errors: [[Double]]) {
    let (n, k) = (Double(errors.count), Double(errors.first?.count ?? 0))
    precondition(n >= 2 && k >= 3 && errors.allSatisfy { Double($0.count) == k }, "a complete table")
    var sums = [Double](repeating: 0, count: Int(k))
    var tied = 0.0
    for row in errors {
      let order = row.indices.sorted { row[$0] < row[$1] }
      var start = 0
      while start < order.count {
        var end = start
        while end < order.count, row[order[end]] == row[order[start]] { end += 1 }
        for position in start..<end { sums[order[position]] += Double(start + end + 1) / 2 }
        let size = Double(end - start)
        tied += size * (size * size - 1)
        start = end
      }
    }
    meanRanks = sums.map { $0 / n }
    scenes = errors.count
    let correction = 1 - tied / (n * k * (k * k - 1))
    let squares = meanRanks.reduce(0) { $0 + ($1 - (k + 1) / 2) * ($1 - (k + 1) / 2) }
    chiSquared = correction > 0 ? 12 * n / (k * (k + 1)) * squares / correction : 0
    pValue = TailProbabilities.chiSquared(chiSquared, freedom: k - 1)
    let rest = n * (k - 1) - chiSquared
    imanDavenportF = rest > 1e-12 * n * k ? (n - 1) * chiSquared / rest : .infinity
    imanDavenportP = TailProbabilities.fisherF(imanDavenportF, k - 1, (k - 1) * (n - 1))
  }

  /// Standard deviation of a mean rank's difference, over √2: the scale of the studentized range.
  private var rankScale: Double {
    let k = Double(meanRanks.count)
    return (k * (k + 1) / (12 * Double(scenes))).squareRoot()
  }

  /// Mean ranks further apart than this differ at level `alpha` (Nemenyi).
  public func criticalDifference(alpha: Double = 0.05) -> Double {
    StudentizedRange.upperQuantile(alpha, groups: meanRanks.count) * rankScale
  }

  /// Nemenyi's p of two methods, corrected for all pairs.
  public func nemenyiP(_ first: Int, _ second: Int) -> Double {
    StudentizedRange.tail(abs(meanRanks[first] - meanRanks[second]) / rankScale, groups: meanRanks.count)
  }
}
