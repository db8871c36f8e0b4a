import CKernels

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
    guard width > 0 && height > 0 else { return nil }
    var tally = BoundaryTally(width: width)
    var marks = [UInt8](repeating: 0, count: 2 * width)
    let above = [Double](repeating: .nan, count: width)
    predicted.withUnsafeBufferPointer { predicted in
      (above + reference).withUnsafeBufferPointer { reference in
        marks.withUnsafeMutableBufferPointer { marks in
          guard let predicted = predicted.baseAddress, let reference = reference.baseAddress,
            let right = marks.baseAddress
          else { return }
          let up = right + width
          for row in 0..<height {
            let (before, truth) = (reference + row * width, reference + (row + 1) * width)
            BoundaryTally.mark(truth, truth + 1, count: width - 1, to: right)
            BoundaryTally.mark(before, truth, count: width, to: up)
            let line = predicted + row * width
            tally.add(
              row: line, above: row > 0 ? line - width : nil, truth: truth, truthAbove: before,
              steps: (UnsafePointer(right), UnsafePointer(up)))
          }
        }
      }
    }
    return tally.score
  }
}

/// Boundaries of a prediction and the truth, counted row by row.
struct BoundaryTally {
  /// Number of ratios that a pair exceeds, per direction, tallied jointly for prediction and truth.
  private var tallies = [Tally](repeating: Tally(), count: 4)
  /// The predicted row before, where it is not at hand; missing at first.
  private var above: [Double]
  private var found: [UInt8]

  init(width: Int) {
    above = Array(repeating: .nan, count: width)
    found = Array(repeating: 0, count: width)
  }

  /// A ratio a little below the smallest of ``BoundaryF1/ratios``: hardly any pair is a step, and a product rules out the rest
  /// without a division.
  private static let leastRatio = 1.049

  /// Marks the neighbours among which there may be a step.
  static func mark(
    _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, count: Int, to marks: UnsafeMutablePointer<UInt8>
  ) {
    if count > 0 { error_terms_mark(a, b, count, leastRatio, marks) }
  }

  /// Adds the pairs within a row, and between it and the row before.
  ///
  /// - Parameters:
  ///   - row: Predicted depth; not finite or ≤ 0 is missing.
  ///   - above: The row before it; nil for the one of ``keep(_:)``.
  ///   - truth: The same of the truth.
  ///   - steps: Where the truth has steps to the right and from above, see ``mark(_:_:count:to:)``.
  mutating func add(
    row: UnsafePointer<Double>, above kept: UnsafePointer<Double>?, truth: UnsafePointer<Double>,
    truthAbove: UnsafePointer<Double>, steps: (right: UnsafePointer<UInt8>, up: UnsafePointer<UInt8>)
  ) {
    let width = above.count
    if width > 1 { add(row, row + 1, truth, truth + 1, width - 1, steps.right, 0, 1) }
    if let kept { return add(kept, row, truthAbove, truth, width, steps.up, 2, 3) }
    let before = above
    before.withUnsafeBufferPointer { before in
      if let before = before.baseAddress { add(before, row, truthAbove, truth, width, steps.up, 2, 3) }
    }
  }

  /// Remembers a row, as that before the next.
  mutating func keep(_ row: UnsafePointer<Double>) {
    above.withUnsafeMutableBufferPointer { $0.baseAddress?.update(from: row, count: $0.count) }
  }

  private mutating func add(
    _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, _ g: UnsafePointer<Double>,
    _ h: UnsafePointer<Double>, _ count: Int, _ marks: UnsafePointer<UInt8>, _ rising: Int, _ falling: Int
  ) {
    var left = error_terms_steps(a, b, count, Self.leastRatio, marks, &found)
    var index = 0
    while left > 0 {
      if found[index] != 0 {
        left -= 1
        add(a[index], b[index], g[index], h[index], rising, falling)
      }
      index += 1
    }
  }

  private mutating func add(
    _ p: Double, _ q: Double, _ g: Double, _ h: Double, _ rising: Int, _ falling: Int
  ) {
    guard p > 0, q > 0, g > 0, h > 0, p.isFinite, q.isFinite, g.isFinite, h.isFinite else { return }
    tallies[rising].add(Self.exceeded(q / p), Self.exceeded(h / g))
    tallies[falling].add(Self.exceeded(p / q), Self.exceeded(g / h))
  }

  /// F1 over the ratios; nil where the truth has no boundary at any of them.
  var score: Double? {
    guard tallies.contains(where: \.hasTrueBoundary) else { return nil }
    var (weighted, weights) = (0.0, 0.0)
    for (index, ratio) in BoundaryF1.ratios.enumerated() {
      let rates = tallies.map { $0.rates(above: index) }
      let recall = rates.reduce(0) { $0 + $1.recall } / 4
      let precision = rates.reduce(0) { $0 + $1.precision } / 4
      let f1 = recall + precision > 0 ? 2 * recall * precision / (recall + precision) : 0
      weighted += ratio * f1
      weights += ratio
    }
    return weighted / weights
  }

  /// How many of the ratios a quotient exceeds, 0…10.
  @inline(__always)
  private static func exceeded(_ quotient: Double) -> Int {
    guard quotient > 1.05 else { return 0 }
    var count = 0
    for ratio in BoundaryF1.ratios where quotient > ratio { count += 1 }
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
