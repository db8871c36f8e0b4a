import Foundation

/// Wilcoxon's signed-rank test of paired differences, two-sided, zeros ranked as Pratt does.
///
/// The p-value is conditional on the observed ranks: ties get mid-ranks, zeros take the lowest ranks and are then left
/// out, and the signs of the rest are flipped. Up to ``exactLimit`` differences all flips are counted, which is what
/// scipy's `wilcoxon(zero_method="pratt", method=PermutationMethod(...))` does; above, the sum of ranks is taken as
/// normal with its conditional variance (no continuity correction).
/// - SeeAlso: Pratt 1959, "Remarks on zeros and ties in the Wilcoxon signed rank procedures".
public struct SignedRank: Sendable, Equatable {
  /// Most differences, zeros included, whose distribution is counted out.
  public static let exactLimit = 25
  /// Two-sided p; 1 where every difference is zero.
  public let pValue: Double
  /// Sum of the ranks of the positive differences.
  public let positiveRankSum: Double
  /// Differences that are not zero: k.
  public let nonZeroCount: Int
  /// Whether every flip was counted.
  public let isExact: Bool
  /// The smallest p that k differences can give: all of one sign, 2^(1−k).
  public var smallestAttainable: Double { isExact ? min(1, pow(2, 1 - Double(nonZeroCount))) : 0 }

  /// - Parameter differences: Finite. Not empty.
  public init(_ differences: [Double]) {
    let ranks = Self.doubledMidRanks(differences.map { abs($0) })
    let signed = zip(differences, ranks).filter { $0.0 != 0 }
    let nonZero = signed.map(\.1)
    let positive = signed.reduce(0) { $0 + ($1.0 > 0 ? $1.1 : 0) }
    nonZeroCount = nonZero.count
    positiveRankSum = Double(positive) / 2
    isExact = differences.count <= Self.exactLimit
    guard !nonZero.isEmpty else {
      pValue = 1
      return
    }
    if isExact {
      pValue = Self.exact(positive, nonZero)
    } else {
      let mean = Double(nonZero.reduce(0, +)) / 2
      let deviation = nonZero.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot() / 2
      pValue = min(1, 2 * NormalDistribution.cumulative(-abs(Double(positive) - mean) / deviation))
    }
  }

  /// Twice the mid-ranks, so that they are integers.
  private static func doubledMidRanks(_ values: [Double]) -> [Int] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Int](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      // Ranks start + 1 … end, their mean doubled.
      for position in start..<end { ranks[order[position]] = start + end + 1 }
      start = end
    }
    return ranks
  }

  /// Counts the 2^k sign flips by their sum of positive ranks; every count is an integer below 2^53.
  private static func exact(_ observed: Int, _ ranks: [Int]) -> Double {
    let total = ranks.reduce(0, +)
    var counts = [Double](repeating: 0, count: total + 1)
    counts[0] = 1
    var reached = 0
    for rank in ranks {
      for sum in stride(from: reached, through: 0, by: -1) { counts[sum + rank] += counts[sum] }
      reached += rank
    }
    let upper = max(observed, total - observed)
    let extreme = counts[upper...].reduce(0, +)
    return min(1, 2 * extreme / pow(2, Double(ranks.count)))
  }
}
