public enum RankCorrelation {
  /// Spearman's ρ: Pearson's correlation of the ranks, ties at their mean rank (Spearman 1904).
  /// - Returns: nil for fewer than two pairs, or where one side is constant.
  /// - Precondition: equal lengths, no NaN.
  /// - Complexity: O(n)
  public static func spearman(_ a: [Double], _ b: [Double]) -> Double? {
    precondition(a.count == b.count, "ranks are compared in pairs")
    guard a.count >= 2 else { return nil }
    let (ra, rb) = (ranks(of: a), ranks(of: b))
    let mean = Double(a.count + 1) / 2
    var (aa, bb, ab) = (0.0, 0.0, 0.0)
    for i in ra.indices {
      let (da, db) = (ra[i] - mean, rb[i] - mean)
      aa += da * da
      bb += db * db
      ab += da * db
    }
    guard aa > 0, bb > 0 else { return nil }
    return ab / (aa * bb).squareRoot()
  }

  /// Ranks from 1; equal values share the mean of their ranks.
  /// - Precondition: no NaN.
  /// - Complexity: O(n)
  public static func ranks(of values: [Double]) -> [Double] {
    let order = RadixOrder.positions(values)
    var ranks = [Double](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      for position in start..<end { ranks[order[position]] = Double(start + end + 1) / 2 }
      start = end
    }
    return ranks
  }
}
