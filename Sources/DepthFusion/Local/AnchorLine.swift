import DepthCore

/// The line that the local models start from: a redescending fit to the anchors, weighted by their noise.
enum AnchorLine {
  /// Anchors that are used, evenly spread; two numbers need no more.
  static let anchorLimit = 4096
  /// Most steps with Huber's weights, before Tukey's start, and of both.
  static let convexSteps = 12, steps = 30
  /// Change of a step, in the mean of y, at which Huber's weights have done enough, and Tukey's.
  static let enough = 1e-4, done = 1e-8
  /// Residuals are relative, (y − ŷ)/y, so that every form weighs near and far alike; weights 1/(σ·y)², tuning
  /// 1.345 and 4.685 with σ̂ = 1.4826·median|e| (Beaton & Tukey 1974).
  /// - Throws: `FitError` `.tooFewPairs` below `options.minPairs`, `.degenerate` for a flat relative map.
  static func fit(_ anchors: LidarAnchors, in space: Space, _ options: FusionOptions) throws(FitError)
    -> LineFit
  {
    guard anchors.count >= options.minPairs
    else { throw .tooFewPairs(found: anchors.count, needed: options.minPairs) }
    let taken = min(anchors.count, anchorLimit)
    let chosen = (0..<taken).map { Int(anchors.indices[$0 * anchors.count / taken]) }
    let x = chosen.map { space.regressor(relative: Double(anchors.relative.values[$0])) }
    let y = chosen.map { space.target(depth: Double(anchors.depth[$0])) }
    // A relative error of ln d is an absolute one.
    let perUnit = y.map { space == .log ? 1 : 1 / abs($0) }
    var weights = zip(chosen, perUnit).map { anchors.weight($0) * $1 * $1 }
    let prior = weights, problem = FitProblem(space: space, x: x, y: y)
    var moments = LeastSquaresLine.Moments(problem, weights: weights)
    let design = try moments.design()
    guard design.spread >= LeastSquaresLine.minimumSpread, design.rank == 2 else { throw .degenerate(design) }
    var line = moments.line, sizes = [Double](repeating: 0, count: taken)
    var median: Double?
    var isConvex = true, step = 0
    while step < steps {
      isConvex = isConvex && step < convexSteps
      for k in 0..<taken { sizes[k] = abs(y[k] - (line.scale * x[k] + line.shift)) * perUnit[k] }
      // It changes less from step to step.
      median =
        median.map { OrderStatistics.medianAbsolute(sizes, near: $0, within: step > 3 ? 0.02 : 0.3) ?? 0 }
        ?? OrderStatistics.median(of: sizes)
      let sigma = OrderStatistics.normalConsistency * (median ?? 0)
      guard sigma > 1e-12 else { break }
      let limit = (isConvex ? 1.345 : 4.685) * sigma
      if isConvex {
        for k in 0..<taken { weights[k] = prior[k] * min(1, limit / max(sizes[k], 1e-300)) }
      } else {
        for k in 0..<taken { weights[k] = prior[k] * Tukey.weight(sizes[k] / limit) }
      }
      moments = LeastSquaresLine.Moments(problem, weights: weights)
      guard moments.weight > 0, moments.xx > 0 else { break }
      let next = moments.line
      let change =
        abs(next.scale - line.scale) * (moments.xx / moments.weight).squareRoot()
        + abs((next.scale - line.scale) * moments.meanX + next.shift - line.shift)
      line = next
      step += 1
      if change < (isConvex ? enough : done) * abs(moments.meanY) {
        guard isConvex else { break }
        isConvex = false
      }
    }
    let inliers = weights.count { $0 > 0 } * anchors.count / taken
    return LineFit(line: line, inliers: inliers, design: design, iterations: step)
  }
}

/// Tukey's biweight.
enum Tukey {
  /// (1 − u²)² for |u| < 1, else 0.
  @inline(__always) static func weight(_ u: Double) -> Double {
    let rest = max(0, 1 - u * u)
    return rest * rest
  }
}
