import DepthCore

extension Estimator {
  /// Least median of squares, then least squares without its outliers.
  public static let lmeds = Estimator(
    id: "lmeds", title: "least median of squares",
    source: "Rousseeuw 1984; Rousseeuw & Leroy 1987 (PROGRESS): 2-point samples, reweighted least squares"
  ) { problem, options, generator throws(FitError) in
    try LeastMedianOfSquares(trials: options.maxTrials).fit(problem, using: &generator)
  }
}

/// The line whose strip around half of the observations is narrowest.
///
/// The search runs on anchors: for a slope, the best shift is the middle of the shortest half of y − α·x, and a
/// slope of the optimum joins two observations. With all pairs of them tried it is exact; with random ones, those
/// that beat the best so far get their best shift, and slopes within the best half are tried afterwards. The
/// result is least squares on |e| ≤ 2.5·1.4826·(1 + 5/(n − 2))·√(med e²).
struct LeastMedianOfSquares {
  /// Most random samples.
  let trials: Int
  /// Observations of the search.
  static let anchorLimit = 1024
  /// Slopes within the best half that are tried after the search.
  static let refinements = 40
  /// The observations that bound a strip lie on its border, on which side must not depend on rounding.
  private static let rounding = 1 + 1e-9
  /// Residuals beyond this many σ̂ are excluded from the final fit.
  static let cutoff = 2.5

  func fit(_ problem: FitProblem, using generator: inout SplitMix64) throws(FitError) -> LineFit {
    let design = try problem.design(), anchors = problem.anchors(Self.anchorLimit)
    let candidates = MinimalLines.candidates(anchors, limit: trials, using: &generator)
    let isComplete = anchors.count * (anchors.count - 1) / 2 <= trials
    var best: Strip?
    for line in candidates {
      // A line with the best strip's half-width on either side that holds less than half cannot be better.
      if !isComplete, let best, !holdsHalf(anchors, within: best.halfWidth * Self.rounding, of: line) {
        continue
      }
      guard let strip = Strip(anchors, slope: line.scale) else { continue }
      if strip.halfWidth < best?.halfWidth ?? .infinity { best = strip }
    }
    if !isComplete, let found = best {
      let inside = anchors.inliers(within: found.halfWidth * Self.rounding, of: found.line)
      for _ in 0..<(inside.count >= 2 ? Self.refinements : 0) {
        guard let line = MinimalLines.random(inside, using: &generator),
          let strip = Strip(anchors, slope: line.scale)
        else { continue }
        if strip.halfWidth < best?.halfWidth ?? .infinity { best = strip }
      }
    }
    guard let best else { throw .degenerate(design) }
    let small = 1 + 5 / max(1, Double(problem.count - 2))
    let sigma = OrderStatistics.normalConsistency * small * best.halfWidth
    let limit = max(Self.cutoff * sigma, 1e-12 * problem.magnitude)
    var fit = try LeastSquaresLine.solve(problem, within: limit, of: best.line)
    fit.iterations = candidates.count
    return fit
  }

  private func holdsHalf(_ problem: FitProblem, within limit: Double, of line: Line) -> Bool {
    guard let weights = problem.weights
    else { return 2 * Self.number(of: problem, within: limit, of: line) >= problem.count }
    let residuals = problem.residuals(of: line)
    var inside = 0.0, total = 0.0
    for i in residuals.indices {
      inside += abs(residuals[i]) <= limit ? weights[i] : 0
      total += weights[i]
    }
    return 2 * inside >= total
  }

  /// Observations whose residual is at most `limit`.
  private static func number(of problem: FitProblem, within limit: Double, of line: Line) -> Int {
    problem.x.withUnsafeBufferPointer { x in
      problem.y.withUnsafeBufferPointer { y in
        var lanes = SIMD8<Int64>()
        let body = x.count - x.count % 8
        for i in stride(from: 0, to: body, by: 8) {
          let error = y.eight(at: i) - (line.scale * x.eight(at: i) + line.shift)
          let isInside = error .<= limit .& error .>= -limit
          lanes &+= SIMD8<Int64>.zero.replacing(with: 1, where: isInside)
        }
        var result = Int(lanes.wrappedSum())
        for i in body..<x.count { result += abs(y[i] - (line.scale * x[i] + line.shift)) <= limit ? 1 : 0 }
        return result
      }
    }
  }

  /// The narrowest strip of a slope that holds half of the observations: its middle line and half its width,
  /// which is the median of |e|.
  private struct Strip {
    let line: Line, halfWidth: Double

    init?(_ problem: FitProblem, slope: Double) {
      let offsets = problem.residuals(of: Line(scale: slope, shift: 0))
      let order = OrderStatistics.ascendingOrder(of: offsets)
      let total = problem.weights?.reduce(0, +) ?? Double(problem.count)
      // ⌊n/2⌋ + 1 of them: more than half.
      let half = total / 2 * (1 + 1e-12)
      var best: (width: Double, middle: Double)?
      var (first, inside) = (0, 0.0)
      for last in order.indices {
        inside += problem.weights?[order[last]] ?? 1
        while first < last, inside - (problem.weights?[order[first]] ?? 1) > half {
          inside -= problem.weights?[order[first]] ?? 1
          first += 1
        }
        guard inside > half else { continue }
        let (low, high) = (offsets[order[first]], offsets[order[last]])
        if high - low < best?.width ?? .infinity { best = (high - low, low + (high - low) / 2) }
      }
      guard let best else { return nil }
      line = Line(scale: slope, shift: best.middle)
      halfWidth = best.width / 2
    }
  }
}
