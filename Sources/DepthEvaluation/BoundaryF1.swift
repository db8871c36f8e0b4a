import CFathomKernels

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
    (above + predicted).withUnsafeBufferPointer { predicted in
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
            tally.add(
              row: predicted + (row + 1) * width, above: predicted + row * width, truth: truth,
              truthAbove: before, steps: (UnsafePointer(right), UnsafePointer(up)))
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
  private let width: Int
  /// Which pairs may be steps; a multiple of eight.
  private var found: [UInt8]

  init(width: Int) {
    self.width = width
    found = Array(repeating: 0, count: (width + 7) / 8 * 8)
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
  ///   - above: The row before it; missing before the first.
  ///   - truth: The same of the truth.
  ///   - steps: Where the truth has steps to the right and from above, see ``mark(_:_:count:to:)``.
  mutating func add(
    row: UnsafePointer<Double>, above: UnsafePointer<Double>, truth: UnsafePointer<Double>,
    truthAbove: UnsafePointer<Double>, steps: (right: UnsafePointer<UInt8>, up: UnsafePointer<UInt8>)
  ) {
    if width > 1 { add(row, row + 1, truth, truth + 1, width - 1, steps.right, 0, 1) }
    add(above, row, truthAbove, truth, width, steps.up, 2, 3)
  }

  private mutating func add(
    _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, _ g: UnsafePointer<Double>,
    _ h: UnsafePointer<Double>, _ count: Int, _ marks: UnsafePointer<UInt8>, _ rising: Int, _ falling: Int
  ) {
    var left = error_terms_steps(a, b, count, Self.leastRatio, marks, &found)
    var first = 0
    while left > 0 {
      // Most eights have none.
      var eight = found.withUnsafeBytes { $0.load(fromByteOffset: first, as: UInt64.self) }.littleEndian
      while eight != 0, left > 0 {
        let index = first + eight.trailingZeroBitCount / 8
        eight &= eight - 1
        // Behind the last pair there may be what was found before.
        guard index < count else { break }
        left -= 1
        add(a[index], b[index], g[index], h[index], rising, falling)
      }
      first += 8
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
