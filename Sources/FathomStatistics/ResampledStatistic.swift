/// A mean over scenes, its root, or the difference of two, in every resample of the scenes.
///
/// The standard errors are linearised (delta method): a ratio of sums changes with a scene by (Sᵢ − r·Wᵢ)/W.
/// - SeeAlso: Efron & Tibshirani 1993, "An introduction to the bootstrap", §12.5.
struct ResampledStatistic {
  let estimate: Double  // Of all scenes.
  let standardError: Double  // Of the estimate, over scenes.
  let replicates: [Double]  // Of each distinct resample.
  /// By how many of its own standard errors each resample lies above the estimate; nil where its scenes do not differ.
  let pivots: [Double?]
  /// A resample's variance that is a smaller part of that of all scenes is rounding.
  private static let rounding = 1e-12

  init(_ values: SceneValues, _ drawn: SceneResamples) {
    let sides = values.sides.map { side in side.reduce(into: WeightedSum()) { $0 += $1 } }
    let form = Form(
      rates: sides.map { $0.sum / $0.weight }, isRoot: values.isRoot, scenes: Double(values.scenes.count))
    // Two columns a side: what a scene lies above the rate, and its weight.
    let columns = values.sides.indices.flatMap { side in
      let rate = form.rates[side]
      return [values.sides[side].map { $0.sum - rate * $0.weight }, values.sides[side].map { $0.weight }]
    }
    let (sums, products) = Self.sums(of: columns, pairs: form.pairs, in: drawn)
    let totals = columns.map { $0.reduce(0, +) }
    let squares = form.pairs.map { a, b in zip(columns[a], columns[b]).reduce(0) { $0 + $1.0 * $1.1 } }
    // Rates are exact: what their columns add up to is rounding.
    let whole = form.evaluate(
      totals.enumerated().map { [$0.offset % 2 == 0 ? 0 : $0.element] }, squares.map { [$0] })
    let (estimate, variance) = (whole.values[0], whole.variances[0])
    let rounding = Self.rounding * variance
    let resampled = form.evaluate(sums, products)
    self.estimate = estimate
    standardError = max(0, variance).squareRoot()
    replicates = resampled.values
    pivots = zip(resampled.values, resampled.variances).map { value, variance in
      variance > rounding ? (value - estimate) / variance.squareRoot() : nil
    }
  }

  /// Sums of the columns and of their products, per distinct resample.
  private static func sums(of columns: [[Double]], pairs: [(Int, Int)], in drawn: SceneResamples)
    -> (columns: [[Double]], products: [[Double]])
  {
    // A weight of 1 needs no sums: as many scenes as there are, whichever they are.
    let isConstant = columns.map { $0.allSatisfy { $0 == 1 } }
    let ones = Array(repeating: Double(drawn.sceneCount), count: drawn.multiplicities.count)
    let products = pairs.filter { !isConstant[$0.0] && !isConstant[$0.1] }
    var known = drawn.sums(
      of: columns.indices.filter { !isConstant[$0] }.map { columns[$0] }
        + products.map { a, b in zip(columns[a], columns[b]).map { $0 * $1 } })[...]
    let sums = isConstant.map { $0 ? ones : known.removeFirst() }
    return (
      sums, pairs.map { a, b in isConstant[a] ? sums[b] : isConstant[b] ? sums[a] : known.removeFirst() }
    )
  }

  /// How the statistic and its variance follow from sums over scenes.
  private struct Form {
    let rates: [Double]  // Of all scenes, one per side.
    let isRoot: Bool, scenes: Double
    let pairs: [(Int, Int)]  // Columns whose products are summed.

    init(rates: [Double], isRoot: Bool, scenes: Double) {
      (self.rates, self.isRoot, self.scenes) = (rates, isRoot, scenes)
      let columns = 0..<2 * rates.count
      pairs = columns.flatMap { a in (a..<columns.count).map { (a, $0) } }
    }

    /// - Parameter sums: Of each column, per resample.
    /// - Parameter products: Of each pair, per resample.
    func evaluate(_ sums: [[Double]], _ products: [[Double]]) -> (values: [Double], variances: [Double]) {
      let count = sums[0].count
      var values = [Double](repeating: 0, count: count)
      // By how much the statistic changes with each column.
      var slopes = sums.map { _ in values }
      for (side, rate) in rates.enumerated() {
        let sign = side == 0 ? 1.0 : -1.0
        let (above, weights) = (sums[2 * side], sums[2 * side + 1])
        for index in 0..<count {
          let weight = weights[index]
          let shift = above[index] / weight
          let rate = rate + shift
          let root = max(0, rate).squareRoot()
          values[index] += sign * (isRoot ? root : rate)
          let slope = sign * (isRoot ? 1 / (2 * root) : 1) / weight
          slopes[2 * side][index] = slope
          slopes[2 * side + 1][index] = -slope * shift
        }
      }
      var variances = [Double](repeating: 0, count: count)
      for ((a, b), product) in zip(pairs, products) {
        let (first, second, times) = (slopes[a], slopes[b], a == b ? 1.0 : 2.0)
        for index in 0..<count { variances[index] += times * (first[index] * second[index] * product[index]) }
      }
      for index in 0..<count { variances[index] = variances[index] * scenes / (scenes - 1) }
      return (values, variances)
    }
  }
}
