/// Counts and scores the pairs that agree with a line, in the unit of the threshold.
struct ConsensusScorer {
  struct Consensus {
    var score: Double
    var inliers: Int
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

  /// MSAC score Σ w·min(e², T²) and the number of inliers.
  func consensus(of line: Line) -> Consensus {
    let cap = limit * limit
    guard residualSpace == problem.space, problem.weights == nil else {
      var result = Consensus(score: 0, inliers: 0)
      for i in 0..<problem.count {
        let error = residual(i, line)
        // NaN (a prediction without depth) is an outlier.
        let inside = abs(error) <= limit
        result.inliers += inside ? 1 : 0
        result.score += (inside ? error * error : cap) * (problem.weights?[i] ?? 1)
      }
      return result
    }
    return problem.x.withUnsafeBufferPointer { x in
      problem.y.withUnsafeBufferPointer { y in
        var score = SIMD8<Double>()
        var inliers = SIMD8<Int64>()
        let caps = SIMD8<Double>(repeating: cap)
        let body = x.count - x.count % 8
        for i in stride(from: 0, to: body, by: 8) {
          let xi = UnsafeRawBufferPointer(x).loadUnaligned(fromByteOffset: i * 8, as: SIMD8<Double>.self)
          let yi = UnsafeRawBufferPointer(y).loadUnaligned(fromByteOffset: i * 8, as: SIMD8<Double>.self)
          let error = yi - (line.scale * xi + line.shift)
          let squared = error * error
          let inside = squared .<= caps
          score += caps.replacing(with: squared, where: inside)
          inliers &+= SIMD8<Int64>.zero.replacing(with: 1, where: inside)
        }
        var result = Consensus(score: score.sum(), inliers: Int(inliers.wrappedSum()))
        for i in body..<x.count {
          let error = y[i] - (line.scale * x[i] + line.shift)
          let squared = error * error
          result.inliers += squared <= cap ? 1 : 0
          result.score += min(squared, cap)
        }
        return result
      }
    }
  }

  /// Indices of the pairs within the threshold.
  func inliers(of line: Line) -> [Int] {
    let errors = errors(of: line)
    return errors.indices.filter { abs(errors[$0]) <= limit }
  }

  /// Weights of the pairs within `factor` thresholds, 0 for the others.
  func weights(of line: Line, within factor: Double) -> [Double] {
    let border = factor * limit
    var result = errors(of: line).map { abs($0) <= border ? 1.0 : 0 }
    if let weights = problem.weights { for i in result.indices { result[i] *= weights[i] } }
    return result
  }

  private func errors(of line: Line) -> [Double] {
    residualSpace == problem.space
      ? problem.residuals(of: line) : (0..<problem.count).map { residual($0, line) }
  }

  private func residual(_ i: Int, _ line: Line) -> Double {
    let fitted = line.scale * problem.x[i] + line.shift
    if residualSpace == problem.space { return observed[i] - fitted }
    let depth = problem.space.depth(fitted: fitted)
    return observed[i] - residualSpace.target(depth: depth)
  }
}
