/// Factors for stated standard deviations by cell, from scenes with truth, so that intervals hold a share of the pixels in another scene.
///
/// Split conformal prediction over scenes: where there are enough of them, a third gives the differences between cells, and the others one
/// common factor. With F(t) the share of a scene's pixels with |d−g|/σ ≤ t times the cell's difference, the factor is the smallest t with
/// ΣF(t) ≥ p·(n+1) over n scenes. Of a further scene that is exchangeable with these, E[F(t)] ≥ p, whatever the distribution and however pixels
/// of a scene depend on each other.
/// - SeeAlso: Angelopoulos, Bates, Fisch, Lei & Schuster, Conformal risk control, ICLR 2024, theorem 1, with 1 − F as the loss; Lee, Barber &
///   Willett, Distribution-free inference with hierarchical data, 2023.
struct DeviationScaleFit: Sendable {
  /// What a cell needs for a difference of its own.
  static let fewestScenesOfCell = 4, fewestPixelsOfCell = 1000
  let coverage: Double
  let learning: Int, shaping: Int  // Scenes.
  private let shape: [ErrorCell: Int], general: Int  // Bins of a tally.
  private let offset: Int
  /// The factor over the one that would be enough for these scenes.
  let reserve: Double

  /// - Parameter scenes: In their order, each with at least one frame.
  /// - Returns: nil for too few scenes, or where no factor up to thousands is enough.
  init?(_ scenes: [DeviationTally], coverage: Double) {
    let fewest = DeviationCorrection.fewestScenes(coverage)
    let isShaped = scenes.count >= 3 * fewest
    let shapers = isShaped ? scenes.indices.filter { $0 % 3 == 1 }.map { scenes[$0] } : []
    let learners = isShaped ? scenes.indices.filter { $0 % 3 != 1 }.map { scenes[$0] } : scenes
    guard learners.count >= fewest else { return nil }
    (self.coverage, learning, shaping) = (coverage, learners.count, shapers.count)
    var shape: [ErrorCell: Int] = [:]
    for cell in Set(shapers.flatMap(\.cells.keys)) {
      let found = shapers.compactMap { $0.cells[cell] }
      guard found.count >= Self.fewestScenesOfCell,
        found.reduce(0, { $0 + $1.pixels }) >= Self.fewestPixelsOfCell
      else { continue }
      shape[cell] = Self.bin(found.map(\.shares), coverage)
    }
    let general = isShaped ? Self.bin(shapers.map(\.shares), coverage) : 0
    (self.shape, self.general) = (shape, general)
    // Shares by bin relative to that of the cell.
    let count = DeviationTally.binCount
    var held = [Double](repeating: 0, count: 2 * count)
    for scene in learners {
      for (cell, found) in scene.sortedCells {
        let start = count - (shape[cell] ?? general)
        for bin in 0..<count - 1 { held[start + bin] += found.shares[bin] / Double(scene.frames) }
      }
    }
    func first(_ needed: Double) -> Int? {
      var sum = 0.0
      return held.firstIndex {
        sum += $0
        return sum >= needed - 1e-9
      }
    }
    let n = Double(learners.count)
    guard let guaranteed = first(coverage * (n + 1)), let plain = first(coverage * n) else { return nil }
    offset = guaranteed - count
    reserve = DeviationTally.upperEnd(guaranteed) / DeviationTally.upperEnd(plain)
  }

  /// The first bin up to which the mean over scenes reaches a share.
  private static func bin(_ scenes: [[Double]], _ wanted: Double) -> Int {
    var held = 0.0
    let totals = scenes.map { $0.reduce(0, +) }
    for bin in 0..<DeviationTally.binCount - 2 {
      for (scene, total) in zip(scenes, totals) { held += scene[bin] / total }
      if held >= wanted * Double(scenes.count) - 1e-9 { return bin }
    }
    return DeviationTally.binCount - 2
  }

  /// The cells that have a factor of their own, in order.
  var cells: [ErrorCell] { shape.keys.sorted() }

  private func bin(_ cell: ErrorCell?) -> Int { (cell.flatMap { shape[$0] } ?? general) + offset }

  /// Factor of a cell; nil for every other cell.
  func scale(_ cell: ErrorCell?) -> Double {
    DeviationTally.upperEnd(bin(cell)) / DeviationCorrection.quantile(coverage)
  }

  /// Share of a scene's pixels in the intervals, with the factors.
  func coverage(of scene: DeviationTally) -> Double {
    scene.sortedCells.reduce(0) { sum, entry in
      let end = max(0, min(bin(entry.key) + 1, DeviationTally.binCount - 1))
      return sum + entry.value.shares[..<end].reduce(0, +)
    } / Double(scene.frames)
  }

  /// Mean σ of a scene, metres, with the factors.
  func deviation(of scene: DeviationTally) -> Double {
    scene.sortedCells.reduce(0) { $0 + scale($1.key) * $1.value.deviation } / Double(scene.frames)
  }
}

extension DeviationTally {
  /// In a fixed order, so that equal tallies give equal sums.
  var sortedCells: [(key: ErrorCell, value: Cell)] { cells.sorted { $0.key < $1.key } }
  /// Of all cells.
  fileprivate var shares: [Double] {
    sortedCells.reduce(into: [Double](repeating: 0, count: Self.binCount)) { total, entry in
      for bin in total.indices { total[bin] += entry.value.shares[bin] }
    }
  }
  /// Mean σ, metres.
  var deviation: Double { sortedCells.reduce(0) { $0 + $1.value.deviation } / Double(frames) }
}
