/// Agreement of occlusion boundaries, scale-invariant.
///
/// A boundary lies between two neighbouring pixels whose depths differ by more than a ratio t. For ten ratios from
/// 1.05 to 1.25, precision and recall are averaged over the four directions, and F1 over the ratios with weights
/// proportional to t. Source: Bochkovskii et al. 2024 (Depth Pro), `boundary_metrics.py`. Unlike there, pairs with an
/// unknown truth or a missing prediction are left out.
public enum BoundaryF1 {
  /// Ratios of depth that make a boundary.
  static let ratios = (0..<10).map { 1.05 + Double($0) * 0.2 / 9 }

  /// - Parameters:
  ///   - predicted: Row-major depth, metres; not finite or ≤ 0 is missing.
  ///   - reference: Row-major truth; not finite or ≤ 0 is unknown.
  /// - Returns: nil where the truth has no boundary at any ratio.
  /// - Precondition: both hold `width * height` values.
  public static func score(
    predicted: [Double], reference: [Double], width: Int, height: Int
  ) -> Double? {
    precondition(predicted.count == width * height && reference.count == width * height, "two equal rasters")
    // Number of ratios that a pair exceeds, per direction, tallied jointly for prediction and truth.
    var tallies = [Tally](repeating: Tally(), count: 4)
    predicted.withUnsafeBufferPointer { predicted in
      reference.withUnsafeBufferPointer { reference in
        func add(_ a: Int, _ b: Int, _ rising: Int, _ falling: Int) {
          let (p, q, g, h) = (predicted[a], predicted[b], reference[a], reference[b])
          guard p > 0, q > 0, g > 0, h > 0, p.isFinite, q.isFinite, g.isFinite, h.isFinite else { return }
          tallies[rising].add(exceeded(q / p), exceeded(h / g))
          tallies[falling].add(exceeded(p / q), exceeded(g / h))
        }
        // Hardly any pair is a step: a product rules out the rest without a division.
        @inline(__always)
        func mayBeStep(_ a: Int, _ b: Int) -> Bool {
          differ(predicted[a], predicted[b]) || differ(reference[a], reference[b])
        }
        for row in 0..<height {
          let start = row * width
          for index in start..<start + max(0, width - 1) where mayBeStep(index, index + 1) {
            add(index, index + 1, 0, 1)
          }
          guard row + 1 < height else { continue }
          for index in start..<start + width where mayBeStep(index, index + width) {
            add(index, index + width, 2, 3)
          }
        }
      }
    }
    guard tallies.contains(where: \.hasTrueBoundary) else { return nil }
    var (weighted, weights) = (0.0, 0.0)
    for (index, ratio) in ratios.enumerated() {
      let rates = tallies.map { $0.rates(above: index) }
      let recall = rates.reduce(0) { $0 + $1.recall } / 4
      let precision = rates.reduce(0) { $0 + $1.precision } / 4
      let f1 = recall + precision > 0 ? 2 * recall * precision / (recall + precision) : 0
      weighted += ratio * f1
      weights += ratio
    }
    return weighted / weights
  }

  /// True for every two depths whose ratio exceeds the smallest of ``ratios``, and for a few more.
  @inline(__always)
  private static func differ(_ a: Double, _ b: Double) -> Bool { b > 1.049 * a || a > 1.049 * b }

  /// How many of the ratios a quotient exceeds, 0…10.
  @inline(__always)
  private static func exceeded(_ quotient: Double) -> Int {
    guard quotient > 1.05 else { return 0 }
    var count = 0
    for ratio in ratios where quotient > ratio { count += 1 }
    return count
  }

  /// Pairs by the number of ratios that prediction and truth exceed.
  private struct Tally {
    private var counts = [Int](repeating: 0, count: 11 * 11)

    mutating func add(_ predicted: Int, _ reference: Int) {
      if predicted > 0 || reference > 0 { counts[predicted * 11 + reference] += 1 }
    }

    var hasTrueBoundary: Bool { (0...10).contains { p in (1...10).contains { counts[p * 11 + $0] > 0 } } }

    /// Recall and precision at the ratio of this index; without a boundary to find they are 0, as in the source.
    func rates(above index: Int) -> (recall: Double, precision: Double) {
      var (both, predicted, reference) = (0, 0, 0)
      for p in 0...10 {
        for g in 0...10 {
          let count = counts[p * 11 + g]
          if p > index && g > index { both += count }
          if p > index { predicted += count }
          if g > index { reference += count }
        }
      }
      return (Double(both) / Double(max(reference, 1)), Double(both) / Double(max(predicted, 1)))
    }
  }
}
