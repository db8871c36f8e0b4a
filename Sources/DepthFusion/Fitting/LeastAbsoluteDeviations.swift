extension Estimator {
  /// Least absolute deviations, exact on at most 4096 anchors.
  public static let lad = Estimator(
    id: "lad", title: "least absolute deviations",
    source: "Boscovich 1757; exact on at most 4096 pairs, evenly spaced in the order of (x, y)"
  ) { problem, _, _ throws(FitError) in
    let design = try problem.design()
    let line = try LeastAbsoluteDeviations.line(problem.anchors(LeastAbsoluteDeviations.anchorLimit))
    return LineFit(line: line, inliers: problem.count, design: design)
  }
}

/// The line of least Σ w|y − α·x − β|.
///
/// For a fixed slope the best shift is the weighted median of y − α·x, and the minimum over the shift is
/// convex in the slope; its derivative's sign brackets the optimum, which is then bisected. No starting point
/// or step size decides the result.
enum LeastAbsoluteDeviations {
  /// Pairs that are fitted at most: each step costs O(n), and their sampling error is far below a map's own errors.
  static let anchorLimit = 4096

  /// - Parameter relativeTolerance: Width of the final bracket as a share of rms(e)/sd(x) of least squares.
  /// - Throws: `FitError` `.tooFewPairs` or `.degenerate` where least squares has no line either.
  static func line(_ problem: FitProblem, relativeTolerance: Double = 1e-13) throws(FitError) -> Line {
    guard problem.count >= 2 else { throw .tooFewPairs(found: problem.count, needed: 2) }
    let moments = LeastSquaresLine.Moments(problem, weights: problem.weights)
    let design = try moments.determinedDesign()
    let start = moments.line
    let squares = problem.residuals(of: start).reduce(0) { $0 + $1 * $1 }
    // How far the optimum can reasonably be: one rms residual over one deviation of x.
    let deviation = design.spread * moments.maximumX
    let step = max((squares / Double(problem.count)).squareRoot() / deviation, abs(start.scale) * 1e-15)
    guard step > 0 else { return start }
    return line(problem, start: start.scale, step: step, relativeTolerance: relativeTolerance)
  }

  /// - Parameters:
  ///   - problem: Observations; thin them first, each step costs O(n).
  ///   - start: Slope to search around, and the step to begin with; only the time depends on them.
  ///   - relativeTolerance: Width of the final bracket as a share of the initial step.
  /// - Precondition: at least two observations; `step` positive.
  static func line(
    _ problem: FitProblem, start: Double, step: Double, relativeTolerance: Double = 1e-12
  ) -> Line {
    var low = start - step
    var high = start + step
    var width = step
    // Convexity: once the derivative has changed sign the optimum is enclosed. 1100 doublings span a Double.
    for _ in 0..<1100 {
      let negativeAtLow = derivativeAndShift(problem, slope: low).derivative <= 0
      let positiveAtHigh = derivativeAndShift(problem, slope: high).derivative >= 0
      if negativeAtLow && positiveAtHigh { break }
      if !negativeAtLow { low -= width }
      if !positiveAtHigh { high += width }
      width *= 2
    }
    let tolerance = max(step * relativeTolerance, .leastNormalMagnitude)
    while high - low > tolerance {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high else { break }
      let derivative = derivativeAndShift(problem, slope: middle).derivative
      if derivative == 0 { (low, high) = (middle, middle) }
      if derivative < 0 { low = middle } else if derivative > 0 { high = middle }
    }
    let slope = low + (high - low) / 2
    return Line(scale: slope, shift: derivativeAndShift(problem, slope: slope).shift)
  }

  /// Derivative over the slope of min over the shift of the objective, and the shift that attains it.
  ///
  /// The observation m at the median has residual 0 and takes the subgradient that balances the others, so
  /// the derivative is −Σ w sign(e)(x − x_m).
  private static func derivativeAndShift(
    _ problem: FitProblem, slope: Double
  ) -> (derivative: Double, shift: Double) {
    let offsets = problem.residuals(of: Line(scale: slope, shift: 0))
    // One of the values, so that an observation has residual exactly 0.
    let shift = OrderStatistics.lowerMedian(of: offsets, weights: problem.weights)
    var (sumSign, sumSignX, pivotX) = (0.0, 0.0, 0.0)
    for i in offsets.indices {
      let sign: Double = offsets[i] > shift ? 1 : offsets[i] < shift ? -1 : 0
      let weight = sign * (problem.weights?[i] ?? 1)
      sumSign += weight
      sumSignX += weight * problem.x[i]
      if sign == 0 { pivotX = problem.x[i] }
    }
    return (-(sumSignX - sumSign * pivotX), shift)
  }
}
