import CFathomKernels

/// Agreement of occlusion boundaries, scale-invariant.
///
/// A boundary lies between two neighbouring pixels whose depths differ by more than a ratio t. For ten ratios from
/// 1.05 to 1.25, precision and recall are averaged over the four directions, and F1 over the ratios with weights
/// proportional to t. Source: Bochkovskii et al. 2024 (Depth Pro), `boundary_metrics.py`. Unlike there, pairs with an
/// unknown truth or a missing prediction are excluded.
public enum BoundaryF1 {
  /// Ratios of depth that make a boundary.
  static let ratios = (0..<Int(BOUNDARY_RATIO_COUNT)).map { 1.05 + Double($0) * 0.2 / 9 }

  /// - Parameter predicted: Row-major depth, metres; not finite or ≤ 0 is missing.
  /// - Parameter reference: Row-major truth; not finite or ≤ 0 is unknown.
  /// - Returns: nil where the truth has no boundary at any ratio.
  /// - Precondition: both hold `width * height` values.
  public static func score(predicted: [Double], reference: [Double], width: Int, height: Int) -> Double? {
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
  /// Pairs between neighbours in a row, and between those of a row and the one below, see `boundary_pairs_add`.
  private var across = [Int64](repeating: 0, count: Int(BOUNDARY_TABLE_COUNT))
  private var along = [Int64](repeating: 0, count: Int(BOUNDARY_TABLE_COUNT))
  private let width: Int
  init(width: Int) { self.width = width }
  /// A ratio a little below the smallest of ``BoundaryF1/ratios``: hardly any pair is a step, and a product rules out the rest
  /// without a division.
  private static let leastRatio = 1.049

  /// Marks the neighbours of the truth that may have a step between them, and those where one is unknown.
  static func mark(
    _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, count: Int, to marks: UnsafeMutablePointer<UInt8>
  ) { if count > 0 { boundary_pairs_mark(a, b, count, leastRatio, marks) } }

  /// Adds the pairs within a row, and between it and the row before.
  /// - Parameter row: Predicted depth; not finite or ≤ 0 is missing.
  /// - Parameter above: The row before it; missing before the first.
  /// - Parameter truth: The same of the truth.
  /// - Parameter steps: What the truth has to the right and from above, see ``mark(_:_:count:to:)``.
  mutating func add(
    row: UnsafePointer<Double>, above: UnsafePointer<Double>, truth: UnsafePointer<Double>,
    truthAbove: UnsafePointer<Double>, steps: (right: UnsafePointer<UInt8>, up: UnsafePointer<UInt8>)
  ) {
    if width > 1 {
      boundary_pairs_add(
        row, row + 1, truth, truth + 1, width - 1, steps.right, Self.leastRatio, BoundaryF1.ratios,
        &across)
    }
    boundary_pairs_add(
      above, row, truthAbove, truth, width, steps.up, Self.leastRatio, BoundaryF1.ratios,
      &along)
  }

  /// F1 over the ratios; nil where the truth has no boundary at any of them.
  var score: Double? {
    let tallies = [across, along].flatMap { [Tally($0, sign: 1), Tally($0, sign: -1)] }
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

  /// Pairs by the number of ratios that prediction and truth exceed.
  private struct Tally {
    private var counts = [Int64](repeating: 0, count: 11 * 11)

    /// - Parameter sign: 1 for pairs whose depth rises, −1 for those whose depth falls.
    init(_ pairs: [Int64], sign: Int) {
      for p in -10...10 {
        for g in -10...10 {
          counts[max(0, sign * p) * 11 + max(0, sign * g)] += pairs[(p + 10) * Int(BOUNDARY_ROW) + g + 10]
        }
      }
    }

    var hasTrueBoundary: Bool { (0...10).contains { p in (1...10).contains { counts[p * 11 + $0] > 0 } } }

    /// Recall and precision at the ratio of this index; without a boundary to find they are 0, as in the source.
    func rates(above index: Int) -> (recall: Double, precision: Double) {
      var (both, predicted, reference) = (Int64(0), Int64(0), Int64(0))
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
