extension Estimator {
  /// Huber's M-estimator by iteratively reweighted least squares, scale re-estimated in each step.
  public static let huber = Estimator(
    id: "huber", title: "Huber M-estimator", source: "Huber 1964; IRLS with σ̂ = 1.4826·median|e|"
  ) { problem, options, _ throws(FitError) in
    try HuberLine.fit(problem, tuning: options.huberThreshold)
  }
}

/// Iteratively reweighted least squares with weights min(1, k/|e|), k = tuning·σ̂.
enum HuberLine {
  /// Steps after which the last line is taken; convergence is linear and takes about 15.
  static let maximumIterations = 100
  /// Change of the fitted values between steps, in σ̂, that counts as converged.
  static let tolerance = 1e-7

  static func fit(_ problem: FitProblem, tuning: Double) throws(FitError) -> LineFit {
    var fit = try LeastSquaresLine.solve(problem)
    let magnitude = problem.y.reduce(0) { max($0, abs($1)) }
    let sdX = fit.design.spread * problem.x.reduce(0) { max($0, abs($1)) }
    var weights = [Double](repeating: 1, count: problem.count)
    var residuals = problem.residuals(of: fit.line)
    var iterations = 1
    while iterations < maximumIterations {
      guard let mad = OrderStatistics.medianAbsolute(residuals) else { break }
      let sigma = OrderStatistics.normalConsistency * mad
      // More than half of the pairs lie on the line to rounding: nothing left to weigh.
      guard sigma > magnitude * 1e-14 else { break }
      let k = tuning * sigma
      for i in weights.indices {
        let size = abs(residuals[i])
        weights[i] = (size <= k ? 1 : k / size) * (problem.weights?[i] ?? 1)
      }
      let moments = LeastSquaresLine.Moments(problem, weights: weights)
      let line = moments.line
      let slopeChange = abs(line.scale - fit.line.scale) * sdX
      let levelChange = abs(
        line.scale * moments.meanX + line.shift - (fit.line.scale * moments.meanX + fit.line.shift))
      fit.line = line
      residuals = problem.residuals(of: line)
      iterations += 1
      if slopeChange + levelChange <= tolerance * sigma { break }
    }
    // The closed form served the steps; the last one is LAPACK's, which also sees the final weights' rank.
    if iterations > 1 { fit = try LeastSquaresLine.solve(problem, weights: weights) }
    fit.iterations = iterations
    let limit = tuning * OrderStatistics.normalConsistency * (OrderStatistics.medianAbsolute(residuals) ?? 0)
    fit.inliers = residuals.reduce(0) { $0 + (abs($1) <= limit ? 1 : 0) }
    return fit
  }
}
