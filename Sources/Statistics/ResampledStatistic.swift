/// A mean over scenes, its root, or the difference of two, in every resample of the scenes.
///
/// The standard errors are linearised (delta method): a ratio of sums changes with a scene by (Sᵢ − r·Wᵢ)/W.
///
/// - SeeAlso: Efron & Tibshirani 1993, "An introduction to the bootstrap", §12.5.
struct ResampledStatistic {
  /// Of all scenes.
  let estimate: Double
  /// Of the estimate, over scenes.
  let standardError: Double
  /// Of each distinct resample.
  let replicates: [Double]
  /// By how many of its own standard errors each resample lies above the estimate; nil where its scenes do not differ.
  let pivots: [Double?]

  /// A resample's variance that is a smaller part of that of all scenes is rounding.
  private static let rounding = 1e-12

  init(_ values: SceneValues, _ drawn: SceneResamples) {
    let scenes = values.scenes.count
    let sides = values.sides.map { side in
      side.reduce(into: WeightedSum()) { $0 += $1 }
    }
    let rates = sides.map { $0.sum / $0.weight }
    // Two columns a side: what a scene lies above the rate, and its weight.
    let columns = values.sides.indices.flatMap { side in
      [values.sides[side].map { $0.sum - rates[side] * $0.weight }, values.sides[side].map(\.weight)]
    }
    // A weight of 1 needs no sums: as many scenes as there are, whichever they are.
    let isConstant = columns.map { $0.allSatisfy { $0 == 1 } }
    let ones = Array(repeating: Double(scenes), count: drawn.multiplicities.count)
    let sums = columns.indices.map { isConstant[$0] ? ones : drawn.sums(of: columns[$0]) }
    func product(_ a: Int, _ b: Int) -> [Double] {
      if isConstant[a] { return sums[b] }
      if isConstant[b] { return sums[a] }
      return drawn.sums(of: zip(columns[a], columns[b]).map { $0 * $1 })
    }
    let pairs = columns.indices.flatMap { a in (a..<columns.count).map { (a, $0) } }
    let products = pairs.map { product($0.0, $0.1) }

    /// The statistic and its variance from sums of the columns and of their products.
    func evaluate(_ sum: (Int) -> Double, _ product: (Int) -> Double) -> (value: Double, variance: Double) {
      var (value, factors) = (0.0, [Double]())
      for side in rates.indices {
        let (weight, sign) = (sum(2 * side + 1), side == 0 ? 1.0 : -1.0)
        let shift = sum(2 * side) / weight
        let rate = rates[side] + shift
        let root = max(0, rate).squareRoot()
        value += sign * (values.isRoot ? root : rate)
        let slope = sign * (values.isRoot ? 1 / (2 * root) : 1) / weight
        factors += [slope, -slope * shift]
      }
      var variance = 0.0
      for (index, (a, b)) in pairs.enumerated() {
        let term = factors[a] * factors[b] * product(index)
        variance += a == b ? term : 2 * term
      }
      return (value, variance * Double(scenes) / Double(scenes - 1))
    }

    let totals = columns.map { $0.reduce(0, +) }
    let squares = pairs.map { a, b in zip(columns[a], columns[b]).reduce(0) { $0 + $1.0 * $1.1 } }
    // Rates are exact: what their columns add up to is rounding.
    let whole = evaluate({ $0 % 2 == 0 ? 0 : totals[$0] }, { squares[$0] })
    estimate = whole.value
    standardError = max(0, whole.variance).squareRoot()
    let rounding = Self.rounding * whole.variance
    var (replicates, pivots) = ([Double](), [Double?]())
    replicates.reserveCapacity(ones.count)
    pivots.reserveCapacity(ones.count)
    for resample in ones.indices {
      let (value, variance) = evaluate({ sums[$0][resample] }, { products[$0][resample] })
      replicates.append(value)
      pivots.append(variance > rounding ? (value - whole.value) / variance.squareRoot() : nil)
    }
    (self.replicates, self.pivots) = (replicates, pivots)
  }
}
