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

  /// - Parameter start: A fit of the problem, for the slope around which the scale's fit is searched.
  init(_ problem: FitProblem, threshold: InlierThreshold, start: LineFit) {
    self.problem = problem
    switch threshold {
    case .metres(let value): (residualSpace, limit) = (.depth, value)
    case .perMetre(let value): (residualSpace, limit) = (.disparity, value)
    case .residualMAD(let factor):
      residualSpace = problem.space
      // Exact agreement would make the threshold 0 and rounding would decide.
      let rounding = 1e-12 * problem.y.reduce(0) { max($0, abs($1)) }
      limit = max(factor * Self.residualScale(problem, start: start), rounding)
    case .targetMAD:
      residualSpace = problem.space
      limit = OrderStatistics.medianAbsoluteDeviation(problem.y) ?? 0
    }
    let (from, to) = (problem.space, residualSpace)
    observed = from == to ? problem.y : problem.y.map { to.target(depth: from.depth(fitted: $0)) }
  }

  /// σ̂ = 1.4826·MAD of the residuals of a least-absolute-deviations line on at most 4096 pairs.
  private static func residualScale(_ problem: FitProblem, start: LineFit) -> Double {
    let anchors = problem.thinned(to: RANSACLine.anchorLimit)
    let largest = anchors.x.reduce(0) { max($0, abs($1)) }
    let deviation = OrderStatistics.medianAbsolute(anchors.residuals(of: start.line)) ?? 0
    // One residual over one deviation of x is the natural step of the slope.
    let step = max(
      deviation / max(start.design.spread * largest, .leastNormalMagnitude), abs(start.line.scale) * 1e-9)
    guard step > 0, step.isFinite else { return OrderStatistics.normalConsistency * deviation }
    let line = LeastAbsoluteDeviations.line(
      anchors, start: start.line.scale, step: step, relativeTolerance: 1e-6)
    return OrderStatistics.normalConsistency
      * (OrderStatistics.medianAbsolute(anchors.residuals(of: line)) ?? 0)
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
    (0..<problem.count).filter { abs(residual($0, line)) <= limit }
  }

  private func residual(_ i: Int, _ line: Line) -> Double {
    let fitted = line.scale * problem.x[i] + line.shift
    if residualSpace == problem.space { return observed[i] - fitted }
    let depth = problem.space.depth(fitted: fitted)
    return observed[i] - residualSpace.target(depth: depth)
  }
}
