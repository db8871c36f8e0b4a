extension OrderStatistics {
  /// The weighted median: a value of weight 2 counts like two equal values, a weight of 0 like none.
  ///
  /// Where the cumulated weight reaches half of the total exactly, the mean of the values on both sides, so that
  /// equal weights give the ordinary median.
  /// - Parameter weights: One per value, not negative; nil for all 1.
  /// - Returns: nil for no values.
  /// - Complexity: O(n) on average.
  public static func median(of values: [Double], weights: [Double]?) -> Double? {
    guard let weights else { return median(of: values) }
    guard let (lower, upper) = neighbours(of: 0.5, in: values, weights) else { return nil }
    return lower + (upper - lower) / 2
  }

  /// The smallest value at which the cumulated weight reaches half of the total; always one of the values.
  /// - Precondition: at least one value.
  package static func lowerMedian(of values: [Double], weights: [Double]?) -> Double {
    guard let weights else {
      var scratch = values
      return select((values.count - 1) / 2, in: &scratch)
    }
    return lowerQuantile(0.5, of: values, weights: weights)
  }

  /// The smallest value at which the cumulated weight reaches the share `q` of the total.
  /// - Precondition: at least one value.
  package static func lowerQuantile(_ q: Double, of values: [Double], weights: [Double]) -> Double {
    neighbours(of: q, in: values, weights)?.lower ?? values[0]
  }

  /// Share of the total weight within which a cumulated weight counts as reached: the rounding of a sum.
  private static let rounding = 1e-12

  /// The values on both sides of a share of the weight; the same where it falls within one.
  ///
  /// Found like the unweighted ones, by a histogram over leading bits.
  private static func neighbours(
    of q: Double, in values: [Double], _ weights: [Double]
  ) -> (lower: Double, upper: Double)? {
    guard !values.isEmpty else { return nil }
    let total = weights.reduce(0, +)
    let wanted = total * (q - rounding)
    var members: [(value: Double, weight: Double)] = []
    var below = 0.0
    var isBeyond: (Int) -> Bool = { _ in false }
    if values.count <= 256 {
      members = Array(zip(values, weights))
    } else {
      var heights = [Double](repeating: 0, count: 1 << 16)
      for i in values.indices { heights[bin(of: values[i])] += weights[i] }
      var found = 0
      while found < heights.count - 1, heights[found] == 0 || below + heights[found] < wanted {
        below += heights[found]
        found += 1
      }
      for i in values.indices where bin(of: values[i]) == found { members.append((values[i], weights[i])) }
      let last = found
      isBeyond = { $0 > last }
    }
    members.sort { $0.value < $1.value }
    for (i, member) in members.enumerated() {
      below += member.weight
      guard below >= wanted, member.weight > 0 || i == members.count - 1 else { continue }
      guard below <= total * (q + rounding) else { return (member.value, member.value) }
      // Exactly that share: the next value that has weight.
      if let next = members[(i + 1)...].first(where: { $0.weight > 0 }) { return (member.value, next.value) }
      var upper: Double?
      for j in values.indices where weights[j] > 0 && isBeyond(bin(of: values[j])) {
        upper = min(upper ?? values[j], values[j])
      }
      return (member.value, upper ?? member.value)
    }
    return members.last.map { ($0.value, $0.value) }
  }
}
