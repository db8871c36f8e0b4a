/// Holm's step-down correction for several comparisons.
/// - SeeAlso: Holm 1979, "A simple sequentially rejective multiple test procedure".
package enum HolmAdjustment {
  /// Adjusted p-values in the order of `pValues`, monotone in p and at most 1. A missing one is not a comparison.
  package static func adjusted(_ pValues: [Double?]) -> [Double?] {
    let order = pValues.indices.filter { pValues[$0] != nil }
      .sorted { ((pValues[$0] ?? 1), $0) < ((pValues[$1] ?? 1), $1) }
    var result = [Double?](repeating: nil, count: pValues.count)
    var running = 0.0
    for (position, index) in order.enumerated() {
      guard let p = pValues[index] else { continue }
      running = max(running, min(1, Double(order.count - position) * p))
      result[index] = running
    }
    return result
  }
}
