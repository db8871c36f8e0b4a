import DepthCore
import Foundation

/// How badly a rising and a falling relation explain pairs, block by block of the image: 1 ∓ Spearman's ρ in parts that
/// can be averaged.
struct RankCost {
  /// Blocks per side; large, because neighbouring errors are correlated.
  static let side = 4

  /// Half the mean squares of difference and of sum of standardised ranks, per block of the image; over all blocks,
  /// weighted by their pixels, these are 1 − ρ and 1 + ρ. Where the relation holds, every block's is near 0.
  /// - Parameter a: One value per pixel of a raster of `size`, not finite where there is none.
  /// - Parameter b: The same.
  /// - Parameter side: Blocks per side.
  /// - Returns: `side`² pairs, nil for a block with hardly a pixel, or for all where nothing can be ranked.
  static func blocks(
    _ a: [Double], _ b: [Double], _ size: RasterSize, side: Int = RankCost.side
  ) -> [(rising: Double, falling: Double)?] { blocks(a, each: [b], size, side: side)[0] }

  /// The same of one map against several.
  static func blocks(
    _ a: [Double], each maps: [[Double]], _ size: RasterSize, side: Int = RankCost.side
  ) -> [[(rising: Double, falling: Double)?]] {
    // Most maps have values at the same pixels, so that the ranks of `a` there need not be found again.
    var known: (present: [Int], ranks: [Double]?) = ([], nil)
    return maps.map { b in
      guard a.count == b.count
      else { return [(rising: Double, falling: Double)?](repeating: nil, count: side * side) }
      let present = a.indices.filter { a[$0].isFinite && b[$0].isFinite }
      if present != known.present { known = (present, standardRanks(present.map { a[$0] })) }
      return blocks(known.ranks, standardRanks(present.map { b[$0] }), at: present, size, side: side)
    }
  }

  private static func blocks(
    _ x: [Double]?, _ y: [Double]?, at present: [Int], _ size: RasterSize, side: Int
  ) -> [(rising: Double, falling: Double)?] {
    let nothing = [(rising: Double, falling: Double)?](repeating: nil, count: side * side)
    guard present.count >= 100, let x, let y else { return nothing }
    var sums = nothing.map { _ in SIMD2<Double>() }
    var counts = [Int](repeating: 0, count: side * side)
    let (rows, columns) = (
      (0..<size.height).map { $0 * side / size.height * side },
      (0..<size.width).map { $0 * side / size.width }
    )
    for (position, index) in present.enumerated() {
      // Division of 32 bits takes half as long.
      let pixel = Int32(index).quotientAndRemainder(dividingBy: Int32(size.width))
      let block = rows[Int(pixel.quotient)] + columns[Int(pixel.remainder)]
      let (difference, sum) = (x[position] - y[position], x[position] + y[position])
      sums[block] += SIMD2(difference * difference, sum * sum) / 2
      counts[block] += 1
    }
    let least = present.count / (10 * side * side)
    return sums.indices.map { block in
      guard counts[block] > least else { return nil }
      let mean = sums[block] / Double(counts[block])
      return (mean.x, mean.y)
    }
  }

  /// A cost in which good fits differ as much as bad ones do: ln(1 + c/0.05). Maps that fit well leave little doubt, and
  /// blocks that fit in no reading have little weight.
  static func sharpened(_ cost: Double) -> Double { Foundation.log1p(cost / sharpness) }
  /// The correlation that a mean of sharpened costs stands for.
  static func correlation(_ sharpened: Double) -> Double { 1 - sharpness * Foundation.expm1(sharpened) }
  private static let sharpness = 0.05
  /// What it is, for people.
  static let unit = "mismatch of the order of near and far, 0 where it is the same"

  /// Ranks with mean 0 and variance 1; nil for a constant.
  private static func standardRanks(_ values: [Double]) -> [Double]? {
    let ranks = RankCorrelation.ranks(of: values), mean = Double(values.count + 1) / 2
    let variance = ranks.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
    guard variance > 0 else { return nil }
    return ranks.map { ($0 - mean) / variance.squareRoot() }
  }
}
