extension Estimator {
  /// Least sum of absolute deviations, each counted up to a limit.
  public static let truncatedL1 = Estimator(
    id: "truncated-l1", title: "truncated L1",
    source: "Wang et al. 2025 (MoGe alignment.py): Σ min(|e|, τ), τ = 2.5·1.4826·median|e| of the L1 line"
  ) { problem, _, _ throws(FitError) in
    try TruncatedL1.fit(problem)
  }
}

/// The line of least Σ w·min(|e|, τ).
///
/// A minimum of this sum joins two observations, because |e| has its only convex corner at 0: every line through
/// two of at most 512 anchors is tried, which is the global minimum on them. From there it descends on at most
/// 4096: min(|e|, τ) is |e| minus the convex max(|e| − τ, 0), so the exact L1 line of the pairs within τ never
/// raises the sum (the concave–convex procedure, Yuille & Rangarajan 2003).
enum TruncatedL1 {
  /// τ in σ̂ of the L1 line.
  static let tuning = 2.5
  /// Anchors of the complete search.
  static let searchLimit = 512
  /// Descents after which the last line is taken; a handful suffices.
  static let descentLimit = 20

  static func fit(_ problem: FitProblem) throws(FitError) -> LineFit {
    let design = try problem.design()
    let anchors = problem.anchors(LeastAbsoluteDeviations.anchorLimit)
    let start = try LeastAbsoluteDeviations.line(anchors)
    let scale = IteratedReweighting.residualScale(problem.residuals(of: start), problem.weights)
    let limit = max(tuning * scale, 1e-12 * problem.magnitude)
    var best = best(anchors.count > searchLimit ? problem.anchors(searchLimit) : anchors, limit) ?? start
    var least = objective(anchors, best, limit, below: .infinity), descents = 0
    while descents < descentLimit {
      descents += 1
      guard let line = try? LeastAbsoluteDeviations.line(anchors.inliers(within: limit, of: best))
      else { break }
      let sum = objective(anchors, line, limit, below: .infinity)
      guard sum < least * (1 - 1e-12) else { break }
      (best, least) = (line, sum)
    }
    let inliers = problem.residuals(of: best).reduce(0) { $0 + (abs($1) <= limit ? 1 : 0) }
    return LineFit(line: best, inliers: inliers, design: design, iterations: descents)
  }

  /// The best line through two observations; of equal ones the first in the order of the observations.
  private static func best(_ problem: FitProblem, _ limit: Double) -> Line? {
    var best: Line?
    var least = Double.infinity
    for i in 0..<problem.count {
      for j in (i + 1)..<max(problem.count, i + 1) {
        guard let line = MinimalLines.line(problem, through: i, j) else { continue }
        let sum = objective(problem, line, limit, below: least)
        if sum < least { (best, least) = (line, sum) }
      }
    }
    return best
  }

  /// Σ w·min(|e|, τ), or a part of it that is no less than `bound`.
  private static func objective(_ problem: FitProblem, _ line: Line, _ limit: Double, below bound: Double)
    -> Double
  {
    let block = 64
    let (scale, shift) = (line.scale, line.shift)
    return problem.x.withUnsafeBufferPointer { x in
      problem.y.withUnsafeBufferPointer { y in
        var sum = 0.0, start = 0
        while start < x.count, sum < bound {
          let end = min(start + block, x.count)
          if let weights = problem.weights {
            for i in start..<end { sum += weights[i] * min(abs(y[i] - (scale * x[i] + shift)), limit) }
          } else {
            for i in start..<end { sum += min(abs(y[i] - (scale * x[i] + shift)), limit) }
          }
          start = end
        }
        return sum
      }
    }
  }
}
