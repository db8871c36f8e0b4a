import DepthCore

/// Makes candidates and compares them on one frame.
struct CandidateBench {
  private let options: FusionOptions, heldOut: HeldOutError
  /// Variance of the LiDAR's relative error at the anchors of least noise.
  private let noise: Double
  /// Positions of the anchors that count, and their weights.
  private let best: [Int]
  private let weights: [Double]
  /// Residuals count as at most this: a false return is as wrong for every candidate.
  static let largest = 0.2
  /// Standard errors by which a candidate must beat a simpler one.
  static let certainty = 2.0

  /// Only the inner quarter of a block's width and height counts: nearer to its border, the LiDAR's errors are those
  /// of the neighbours that were not held out (buffered cross-validation, Burman, Chow & Nolan 1994).
  init(_ anchors: LidarAnchors, _ options: FusionOptions) {
    self.options = options
    heldOut = HeldOutError(anchors, blockSide: options.local.blockSide)
    let (side, guardBand, width) = (
      options.local.blockSide, 3 * options.local.blockSide / 8, anchors.size.width
    )
    best = anchors.indices.indices.filter {
      let index = Int(anchors.indices[$0])
      let (x, y) = (index % width % side, index / width % side)
      return min(x, y) >= guardBand && max(x, y) < side - guardBand
    }
    weights = best.map { anchors.weight(Int(anchors.indices[$0])) }
    // Σwσ²/Σw with w = (σ_best/σ)².
    noise =
      Double(best.count) * Double(anchors.bestDeviation) * Double(anchors.bestDeviation)
      / max(weights.reduce(0, +), .leastNormalMagnitude)
  }

  func candidate(
    _ name: String, _ form: AutoForm, window deviation: Double,
    _ fit: @escaping @Sendable (LidarAnchors, Line, Space, FusionOptions) -> any LocalModel
  ) -> AutoChoice.Candidate {
    let residuals = heldOut.residuals { fit($0, form.fit.line, form.space, options) }
    let gain = AutoChoice.noiseGain(
      window: deviation, correlation: options.local.correlation(in: heldOut.anchors.size))
    return .init(name: name, form: form, residuals: residuals, noiseGain: gain, fit: fit)
  }

  func candidate(_ estimator: LocalEstimator, _ form: AutoForm) -> AutoChoice.Candidate {
    candidate(estimator.id, form, window: estimator.window(options.local), estimator.fit)
  }

  func residualField(_ share: Double, _ form: AutoForm) -> AutoChoice.Candidate {
    let deviation = share * options.local.residualDeviation
    // Ranking takes many fits.
    let ranking = ResidualModel.Grids(over: heldOut.anchors.size, deviation: deviation, cell: 2.0 / 3)
    return candidate("residual σ \(deviation) px", form, window: deviation) { anchors, line, space, options in
      ResidualModel(
        anchors, line, space, options,
        anchors.pitch > 1 ? ranking : .init(over: anchors.size, deviation: deviation))
    }
  }

  func globalLine(_ form: AutoForm) -> AutoChoice.Candidate {
    let model = GlobalModel(line: form.fit.line, space: form.space, options: options)
    return .init(
      name: "global line", form: form, residuals: heldOut.residuals(ofWhole: model), noiseGain: 0
    ) { GlobalModel(line: $1, space: $2, options: $3) }
  }

  /// The held-out error of the LiDAR's own smoothness, where it shows that the map says little: the map is off by far more than noise, and
  /// its mean squared error is more than half of what it is without the map. Else nil.
  ///
  /// Returns that both miss are omitted: they are false, or of a thing that neither knows.
  func errorWithoutMap(beside candidate: AutoChoice.Candidate) -> Double? {
    let own = squares(candidate), anchors = heldOut.anchors, deviation = options.local.residualDeviation
    let depths = anchors.indices.map { Double(anchors.depth[Int($0)]) }
    guard mean(own) > Self.idleError * Self.idleError * noise,
      let middle = OrderStatistics.median(of: depths),
      let median = OrderStatistics.median(of: own)
    else { return nil }
    // A field about the median depth, which knows nothing of the map.
    let line = Line(scale: 0, shift: Space.disparity.target(depth: middle))
    let grids = ResidualModel.Grids(over: anchors.size, deviation: deviation, cell: 2.0 / 3)
    let plain = self.candidate("no map", candidate.form, window: deviation) { anchors, _, _, options in
      ResidualModel(anchors, line, .disparity, options, grids)
    }
    let other = squares(plain)
    let limit =
      MapDeviation.tailStart * MapDeviation.tailStart * max(median, OrderStatistics.median(of: other) ?? 0)
    var (ownSum, otherSum, weight) = (0.0, 0.0, 0.0)
    for k in own.indices where min(own[k], other[k]) <= limit {
      (ownSum, otherSum) = (ownSum + weights[k] * own[k], otherSum + weights[k] * other[k])
      weight += weights[k]
    }
    let variance = weight * noise
    let saysLittle =
      ownSum > Self.idleError * Self.idleError * variance
      && ownSum - variance > Self.idleShare * (otherSum - variance)
    return saysLittle ? expectedError(plain) : nil
  }
  /// Error of a map, in the LiDAR's noise, from which on it must say something that the LiDAR does not.
  private static let idleError = 4.0
  /// Of the mean squared error without the map, what a map leaves that says little: maps of the scene leave a third or less.
  private static let idleShare = 0.5

  /// The first candidate that the best one does not beat by more than ``certainty`` standard errors.
  func simplestOfTheBest(_ candidates: [AutoChoice.Candidate]) -> Int {
    let errors = candidates.map(squares)
    let costs = candidates.indices.map { mean(errors[$0]) + candidates[$0].noiseGain * noise }
    let best = costs.indices.reduce(0) { costs[$1] < costs[$0] ? $1 : $0 }
    for k in 0..<best {
      let difference = blockMeans(zip(errors[k], errors[best]).map { $0 - $1 })
      if costs[k] - costs[best] <= Self.certainty * standardError(difference) { return k }
    }
    return best
  }

  /// Root mean square of the residuals, the LiDAR's share of them included.
  func expectedError(_ candidate: AutoChoice.Candidate) -> Double { mean(squares(candidate)).squareRoot() }

  /// Squared residuals of the anchors of least noise.
  private func squares(_ candidate: AutoChoice.Candidate) -> [Double] {
    best.map {
      let size = abs(candidate.residuals[$0])
      return size < Self.largest ? size * size : Self.largest * Self.largest
    }
  }

  private func mean(_ values: [Double]) -> Double {
    zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 } / max(weights.reduce(0, +), .leastNormalMagnitude)
  }

  /// Sum and number of the values of each block that has some.
  private func blockMeans(_ values: [Double]) -> [(sum: Double, count: Double)] {
    var sums = [(sum: Double, count: Double)](repeating: (0, 0), count: (heldOut.blocks.max() ?? 0) + 1)
    for k in best.indices {
      sums[heldOut.blocks[best[k]]].sum += weights[k] * values[k]
      sums[heldOut.blocks[best[k]]].count += weights[k]
    }
    return sums.filter { $0.count > 0 }
  }

  /// Of the mean over all, from blocks as units (the ratio estimator of cluster sampling, Cochran 1977, §9A).
  private func standardError(_ blocks: [(sum: Double, count: Double)]) -> Double {
    guard blocks.count > 1 else { return .infinity }
    let total = blocks.reduce((0.0, 0.0)) { ($0.0 + $1.sum, $0.1 + $1.count) }
    let mean = total.0 / total.1
    let squares = blocks.reduce(0) { sum, block in
      let left = block.sum - mean * block.count
      return sum + left * left
    }
    let count = Double(blocks.count)
    return (squares * count / (count - 1)).squareRoot() / total.1
  }
}
