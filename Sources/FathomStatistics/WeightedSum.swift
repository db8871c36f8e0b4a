/// What is added up over scenes.
package struct WeightedSum: Sendable, Equatable, Hashable {
  package var sum = 0.0, weight = 0.0
  package init(sum: Double = 0, weight: Double = 0) { (self.sum, self.weight) = (sum, weight) }
  /// A value that counts once.
  package static func one(_ value: Double) -> WeightedSum { WeightedSum(sum: value, weight: 1) }

  package static func += (left: inout WeightedSum, right: WeightedSum) {
    left.sum += right.sum
    left.weight += right.weight
  }

  /// The mean, or its root.
  package func value(root: Bool) -> Double? {
    guard weight > 0 else { return nil }
    return root ? (sum / weight).squareRoot() : sum / weight
  }
}
