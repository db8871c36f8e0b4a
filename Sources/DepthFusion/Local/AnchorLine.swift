import DepthCore
import Foundation

/// The line that the local models start from: a redescending fit to the anchors, weighted by their noise.
enum AnchorLine {
  /// Anchors that are used, evenly spread; two numbers need no more.
  static let anchorLimit = 8192
  /// Steps with Huber's weights, from which Tukey's start, and all steps.
  static let convexSteps = 12, steps = 30

  /// Residuals are relative, (y − ŷ)/y, so that every form weighs near and far alike; weights 1/(σ·y)², tuning
  /// 1.345 and 4.685 with σ̂ = 1.4826·median|e| (Beaton & Tukey 1974).
  ///
  /// - Throws: `FitError` `.tooFewPairs` below `options.minPairs`, `.degenerate` for a flat relative map.
  static func fit(_ anchors: LidarAnchors, in space: Space, _ options: FusionOptions) throws(FitError)
    -> LineFit
  {
    guard anchors.count >= options.minPairs else {
      throw .tooFewPairs(found: anchors.count, needed: options.minPairs)
    }
    let taken = min(anchors.count, anchorLimit)
    var (x, y, unit) = ([Double](), [Double](), [Double]())
    for k in 0..<taken {
      let index = Int(anchors.indices[k * anchors.count / taken])
      x.append(space.regressor(relative: Double(anchors.relative.values[index])))
      y.append(space.target(depth: Double(anchors.depth[index])))
      // A relative error of ln d is an absolute one.
      unit.append(space == .log ? 1 : abs(y[k]))
    }
    var weights = (0..<taken).map { k in
      anchors.weight(Int(anchors.indices[k * anchors.count / taken])) / (unit[k] * unit[k])
    }
    let prior = weights
    let problem = FitProblem(space: space, x: x, y: y)
    var moments = LeastSquaresLine.Moments(problem, weights: weights)
    let design = try moments.design()
    guard design.spread >= LeastSquaresLine.minimumSpread, design.rank == 2 else { throw .degenerate(design) }
    var line = moments.line
    var sizes = [Double](repeating: 0, count: taken)
    var median: Double?
    for step in 0..<steps {
      for k in 0..<taken { sizes[k] = abs(y[k] - (line.scale * x[k] + line.shift)) / unit[k] }
      // It changes less from step to step.
      median =
        median.map { OrderStatistics.medianAbsolute(sizes, near: $0, within: step > 3 ? 0.02 : 0.3) ?? 0 }
        ?? OrderStatistics.median(of: sizes)
      let sigma = OrderStatistics.normalConsistency * (median ?? 0)
      guard sigma > 1e-12 else { break }
      for k in 0..<taken {
        weights[k] =
          prior[k]
          * (step < convexSteps
            ? min(1, 1.345 * sigma / max(sizes[k], 1e-300)) : Tukey.weight(sizes[k] / (4.685 * sigma)))
      }
      moments = LeastSquaresLine.Moments(problem, weights: weights)
      guard moments.weight > 0, moments.xx > 0 else { break }
      let next = moments.line
      let change =
        abs(next.scale - line.scale) * (moments.xx / moments.weight).squareRoot()
        + abs((next.scale - line.scale) * moments.meanX + next.shift - line.shift)
      line = next
      if step > convexSteps, change < 1e-9 * abs(moments.meanY) { break }
    }
    let inliers = weights.count { $0 > 0 } * anchors.count / taken
    return LineFit(line: line, inliers: inliers, design: design, iterations: steps)
  }
}

/// Tukey's biweight.
enum Tukey {
  /// (1 − u²)² for |u| < 1, else 0.
  @inline(__always)
  static func weight(_ u: Double) -> Double {
    let rest = max(0, 1 - u * u)
    return rest * rest
  }
}
