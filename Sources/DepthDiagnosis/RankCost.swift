import DepthFusion

/// How badly a monotone relation explains pairs, block by block of the image: (1 − ρ²) in parts that can be averaged.
struct RankCost {
  /// Blocks per side; large, because neighbouring errors are correlated.
  static let side = 3

  /// Mean squared residual of the ranks' regression, in units of their variance, per block of the image.
  ///
  /// - Parameters:
  ///   - a: One value per pixel of a raster of `size`, not finite where there is none.
  ///   - b: The same.
  /// - Returns: `side`² costs, nil for a block with hardly a pixel; empty where nothing can be ranked.
  static func blocks(_ a: [Double], _ b: [Double], _ size: RasterSize) -> [Double?] {
    let present = a.indices.filter { a[$0].isFinite && b[$0].isFinite }
    guard present.count >= 100 else { return [] }
    let (x, y) = (standardRanks(present.map { a[$0] }), standardRanks(present.map { b[$0] }))
    guard let x, let y else { return [] }
    let slope = zip(x, y).reduce(0) { $0 + $1.0 * $1.1 } / Double(present.count)
    var (sums, counts) = ([Double](repeating: 0, count: side * side), [Int](repeating: 0, count: side * side))
    for (position, index) in present.enumerated() {
      let block = index / size.width * side / size.height * side + index % size.width * side / size.width
      let residual = y[position] - slope * x[position]
      sums[block] += residual * residual
      counts[block] += 1
    }
    let least = present.count / (10 * side * side)
    return sums.indices.map { counts[$0] > least ? sums[$0] / Double(counts[$0]) : nil }
  }

  /// Ranks with mean 0 and variance 1; nil for a constant.
  private static func standardRanks(_ values: [Double]) -> [Double]? {
    let ranks = RankCorrelation.ranks(of: values)
    let mean = Double(values.count + 1) / 2
    let variance = ranks.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
    guard variance > 0 else { return nil }
    return ranks.map { ($0 - mean) / variance.squareRoot() }
  }
}
