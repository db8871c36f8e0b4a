import DepthCore

/// Counts and scores the pairs that agree with a line, in the unit of the threshold.
struct ConsensusScorer {
  struct Consensus {
    var score: Double, inliers: Int
  }

  private let problem: FitProblem
  /// Space in which residuals are taken; the fitting space unless the threshold has another unit.
  private let residualSpace: Space
  /// Observations in the residual space.
  private let observed: [Double]
  /// Largest |residual| of an inlier, inclusive, in the residual space.
  let limit: Double

  init(_ problem: FitProblem, threshold: InlierThreshold) throws(FitError) {
    self.problem = problem
    switch threshold {
    case .metres(let value): (residualSpace, limit) = (.depth, value)
    case .perMetre(let value): (residualSpace, limit) = (.disparity, value)
    case .residualMAD(let factor):
      residualSpace = problem.space
      // σ̂ of a least-absolute-deviations line on at most 4096 pairs.
      let anchors = problem.anchors(LeastAbsoluteDeviations.anchorLimit)
      let line = try LeastAbsoluteDeviations.line(anchors, relativeTolerance: 1e-4)
      let scale = IteratedReweighting.residualScale(anchors.residuals(of: line), anchors.weights)
      // Exact agreement would make the threshold 0 and rounding would decide.
      limit = max(factor * scale, 1e-12 * problem.magnitude)
    case .targetMAD:
      residualSpace = problem.space
      limit = OrderStatistics.medianAbsoluteDeviation(problem.y) ?? 0
    }
    let (from, to) = (problem.space, residualSpace)
    observed = from == to ? problem.y : problem.y.map { to.target(depth: from.depth(fitted: $0)) }
  }

  /// MSAC score Σ w·min(e², T²) and the number of inliers; nil where the score is not below `bound`.
  ///
  /// Terms are never negative, so a part of the sum that reaches the bound decides as the whole would.
  func consensus(of line: Line, below bound: Double = .infinity) -> Consensus? {
    let cap = limit * limit
    var result = Consensus(score: 0, inliers: 0)
    guard residualSpace == problem.space, problem.weights == nil else {
      for start in stride(from: 0, to: problem.count, by: Self.block) {
        guard result.score < bound else { return nil }
        for i in start..<min(start + Self.block, problem.count) {
          let error = residual(i, line)
          // NaN (a prediction without depth) is an outlier.
          let inside = abs(error) <= limit
          result.inliers += inside ? 1 : 0
          result.score += (inside ? error * error : cap) * (problem.weights?[i] ?? 1)
        }
      }
      return result.score < bound ? result : nil
    }
    return problem.x.withUnsafeBufferPointer { x in
      problem.y.withUnsafeBufferPointer { y in
        var score = SIMD8<Double>()
        var inliers = SIMD8<Int64>()
        let caps = SIMD8<Double>(repeating: cap)
        let body = x.count - x.count % 8
        for start in stride(from: 0, to: body, by: Self.block) {
          guard score.sum() < bound else { return nil }
          for i in stride(from: start, to: min(start + Self.block, body), by: 8) {
            let error = y.eight(at: i) - (line.scale * x.eight(at: i) + line.shift)
            let squared = error * error, inside = squared .<= caps
            score += caps.replacing(with: squared, where: inside)
            inliers &+= SIMD8<Int64>.zero.replacing(with: 1, where: inside)
          }
        }
        result = Consensus(score: score.sum(), inliers: Int(inliers.wrappedSum()))
        for i in body..<x.count {
          let error = y[i] - (line.scale * x[i] + line.shift), squared = error * error
          result.inliers += squared <= cap ? 1 : 0
          result.score += min(squared, cap)
        }
        return result.score < bound ? result : nil
      }
    }
  }

  /// Observations between two looks at the bound.
  private static let block = 2048

  /// The observations within the threshold.
  func inliers(of line: Line) -> FitProblem {
    if residualSpace == problem.space { return problem.inliers(within: limit, of: line) }
    return problem.subset((0..<problem.count).filter { abs(residual($0, line)) <= limit })
  }

  /// Weights of the observations within `factor` thresholds, 0 for the others.
  func weights(of line: Line, within factor: Double) -> [Double] {
    let border = factor * limit
    var result =
      residualSpace == problem.space
      ? problem.residuals(of: line) : (0..<problem.count).map { residual($0, line) }
    result.withUnsafeMutableBufferPointer { result in
      for i in result.indices { result[i] = abs(result[i]) <= border ? 1 : 0 }
    }
    if let weights = problem.weights { for i in result.indices { result[i] *= weights[i] } }
    return result
  }

  private func residual(_ i: Int, _ line: Line) -> Double {
    let fitted = line.scale * problem.x[i] + line.shift
    if residualSpace == problem.space { return observed[i] - fitted }
    let depth = problem.space.depth(fitted: fitted)
    return observed[i] - residualSpace.target(depth: depth)
  }
}
