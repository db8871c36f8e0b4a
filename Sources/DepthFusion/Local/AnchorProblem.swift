import DepthCore

/// What a global line leaves at the anchors, on centred regressors of unit spread.
struct AnchorProblem {
  let x: [Double], y: [Double], weights: [Double]
  /// Mean and standard deviation of the regressors.
  let centre: Double, deviation: Double
  /// Weight of a pixel of the smallest noise at the median depth.
  let fullWeight: Double

  /// - Parameter rejecting: Whether anchors weigh by Tukey's biweight of their relative distance from the line too.
  init(_ anchors: LidarAnchors, _ line: Line, _ space: Space, rejecting: Bool) {
    let regressors = anchors.indices.map {
      space.regressor(relative: Double(anchors.relative.values[Int($0)]))
    }
    let targets = anchors.indices.map { space.target(depth: Double(anchors.depth[Int($0)])) }
    let units = space == .log ? [Double](repeating: 1, count: targets.count) : targets
    let left = zip(regressors, targets).map { $1 - (line.scale * $0 + line.shift) }
    let sizes = zip(left, units).map { abs($0 / $1) }
    let spread = OrderStatistics.normalConsistency * (OrderStatistics.median(of: sizes) ?? 0)
    weights = anchors.indices.indices.map { k in
      let index = Int(anchors.indices[k]), noise = anchors.weight(index) / (units[k] * units[k])
      guard rejecting else { return noise }
      let limit =
        ResidualModel.residualTuning * spread
        + ResidualModel.noiseTuning * Double(anchors.deviation[index])
      return noise * Tukey.weight(sizes[k] / limit)
    }
    let unit = OrderStatistics.median(of: units) ?? 1
    fullWeight = 1 / (unit * unit)
    let count = Double(max(1, regressors.count)), mean = regressors.reduce(0, +) / count
    let variance = regressors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
    let deviation = max(variance.squareRoot(), .leastNormalMagnitude)
    x = regressors.map { ($0 - mean) / deviation }
    y = left
    (centre, self.deviation) = (mean, deviation)
  }
}
