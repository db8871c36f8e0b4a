/// The line of least Σ w|y − α·x − β|.
///
/// For a fixed slope the best shift is the weighted median of y − α·x, and the minimum over the shift is
/// convex in the slope; its derivative's sign brackets the optimum, which is then bisected. No starting point
/// or step size decides the result.
enum LeastAbsoluteDeviations {
  /// - Parameters:
  ///   - problem: Observations; thin them first, each step costs O(n).
  ///   - start: Slope to search around, and the step to begin with; only the time depends on them.
  ///   - relativeTolerance: Width of the final bracket as a share of the initial step.
  /// - Precondition: at least two observations; `step` positive.
  static func line(
    _ problem: FitProblem, start: Double, step: Double, relativeTolerance: Double = 1e-12
  ) -> Line {
    var low = start
    var high = start
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
    var offsets = [Double](repeating: 0, count: problem.count)
    for i in offsets.indices { offsets[i] = problem.y[i] - slope * problem.x[i] }
    let shift: Double
    if let weights = problem.weights {
      shift = weightedMedian(offsets, weights)
    } else {
      // The lower of the middle two, so that an observation has residual exactly 0.
      var scratch = offsets
      shift = OrderStatistics.select((offsets.count - 1) / 2, in: &scratch)
    }
    var (sumSign, sumSignX, pivotX) = (0.0, 0.0, 0.0)
    for i in offsets.indices {
      let weight = problem.weights?[i] ?? 1
      if offsets[i] > shift {
        sumSign += weight
        sumSignX += weight * problem.x[i]
      } else if offsets[i] < shift {
        sumSign -= weight
        sumSignX -= weight * problem.x[i]
      } else {
        pivotX = problem.x[i]
      }
    }
    return (-(sumSignX - sumSign * pivotX), shift)
  }

  /// The smallest value at which the cumulated weight reaches half of the total.
  static func weightedMedian(_ values: [Double], _ weights: [Double]) -> Double {
    let order = values.indices.sorted { values[$0] < values[$1] }
    let half = weights.reduce(0, +) / 2
    var cumulated = 0.0
    for index in order {
      cumulated += weights[index]
      if cumulated >= half { return values[index] }
    }
    return order.last.map { values[$0] } ?? 0
  }
}
