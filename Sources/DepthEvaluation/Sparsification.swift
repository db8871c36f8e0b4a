/// How much of the error goes when the least confident pixels are excluded, compared with excluding the worst.
///
/// Error |d−g|/g; 0…99 % of the pixels removed in steps of 1 %. Within a level of confidence the order is unknown,
/// so the expected mean is taken. Areas by the trapezoidal rule over the removed share, not normalised.
/// Source: Ilg et al. 2018; Poggi et al. 2020 (mono-uncertainty); domain §3.
public struct Sparsification: Sendable, Equatable {
  /// Number of points of a curve.
  public static let steps = 100
  /// Mean error of the pixels that are kept when 0, 1, … 99 % of the least confident are removed.
  public let byConfidence: [Double]
  /// The same when the largest errors are removed.
  public let oracle: [Double]

  /// - Parameter errors: One error per pixel, finite, at least 0.
  /// - Parameter levels: Confidence of each, larger is better.
  /// - Returns: nil for no pixels.
  /// - Precondition: equal lengths.
  /// - Complexity: O(n)
  public init?(errors: [Double], levels: [UInt8]) {
    precondition(errors.count == levels.count, "one confidence per error")
    guard !errors.isEmpty else { return nil }
    let kept = Self.kept(of: errors.count)
    var sums: [UInt8: (count: Int, sum: Double)] = [:]
    for (level, positions) in Dictionary(grouping: levels.indices, by: { levels[$0] }) {
      sums[level] = (positions.count, positions.reduce(0) { $0 + errors[$1] })
    }
    self.init(levels: sums, kept: kept, oracle: SmallestMeans.means(errors, kept: kept))
  }

  /// - Parameter errors: One error per pixel, finite, at least 0.
  /// - Parameter order: Positions of the pixels, the surest first.
  /// - Parameter doubts: How unsure each pixel is; equal ones are one level.
  /// - Returns: nil for no pixels.
  init?(errors: [Double], order: [Int], doubts: [Double]) {
    guard !errors.isEmpty else { return nil }
    var levels: [(count: Int, sum: Double)] = []
    var last: Double?
    for position in order {
      if doubts[position] != last { levels.append((0, 0)) }
      last = doubts[position]
      levels[levels.count - 1].count += 1
      levels[levels.count - 1].sum += errors[position]
    }
    let kept = Self.kept(of: errors.count)
    self.init(byConfidence: Self.means(levels, kept: kept), oracle: SmallestMeans.means(errors, kept: kept))
  }

  /// - Parameter levels: Number of pixels and sum of their errors, by confidence.
  /// - Parameter kept: See ``kept(of:)``.
  /// - Parameter oracle: See ``oracle``.
  init(levels: [UInt8: (count: Int, sum: Double)], kept: [Int], oracle: [Double]) {
    self.init(
      byConfidence: Self.means(levels.sorted { $0.key > $1.key }.map(\.value), kept: kept), oracle: oracle)
  }

  /// - Parameter levels: Number of pixels and sum of their errors, the surest first.
  private static func means(_ levels: [(count: Int, sum: Double)], kept: [Int]) -> [Double] {
    var (level, before, sum) = (0, 0, 0.0)
    // From step to step more are kept.
    let means = kept.reversed().map { wanted in
      while level < levels.count, before + levels[level].count <= wanted {
        let count = levels[level].count
        sum += levels[level].sum * Double(count) / Double(count)
        before += count
        level += 1
      }
      let rest = wanted - before
      let part = rest > 0 ? levels[level].sum * Double(rest) / Double(levels[level].count) : 0
      return (sum + part) / Double(wanted)
    }
    return means.reversed()
  }

  /// Curves that were computed before.
  init(byConfidence: [Double], oracle: [Double]) { (self.byConfidence, self.oracle) = (byConfidence, oracle) }
  /// How many of so many pixels are kept when 0, 1, … 99 % are removed.
  static func kept(of count: Int) -> [Int] { (0..<steps).map { count - $0 * count / steps } }
  /// Area between the curve by confidence and the oracle's (AUSE): 0 for a perfect confidence.
  public var area: Double { area(zip(byConfidence, oracle).map { $0 - $1 }) }
  /// Area between no order at all and the curve by confidence (AURG): 0 for a useless confidence.
  public var gainOverRandom: Double { area(byConfidence.map { byConfidence[0] - $0 }) }
  /// Share of the ideal order's gain: 1 is ideal, 0 is random; nil where no order gains anything.
  var explained: Double? { area + gainOverRandom > 0 ? gainOverRandom / (area + gainOverRandom) : nil }
  /// What the mean of a part of the errors may be off by, as a share of the mean: each is counted to 2^-23 of itself.
  private static let rounding = 0x1p-23

  /// An area within rounding of 0 is 0. Where the error is the same at every pixel, all curves are one, but their means are taken
  /// over different pixels and differ in the last digits: the area of no gap came out as −6e-15, which no area can be.
  private func area(_ heights: [Double]) -> Double {
    let step = 1 / Double(Self.steps)
    let area = zip(heights, heights.dropFirst()).reduce(0) { $0 + ($1.0 + $1.1) / 2 * step }
    return abs(area) <= Self.rounding * byConfidence[0] ? 0 : area
  }
}
