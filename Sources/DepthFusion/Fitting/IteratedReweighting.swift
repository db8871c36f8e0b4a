import DepthCore

extension Estimator {
  /// Huber's M-estimator by iteratively reweighted least squares, scale re-estimated in each step.
  public static let huber = Estimator(
    id: "huber", title: "Huber M-estimator", source: "Huber 1964; IRLS with σ̂ = 1.4826·median|e|"
  ) { problem, options, _ throws(FitError) in
    try IteratedReweighting.huber(problem, tuning: options.huberThreshold)
  }

  /// Tukey's bisquare from a least-absolute-deviations start, with the scale of that start.
  public static let tukey = Estimator(
    id: "tukey", title: "Tukey bisquare (MM)",
    source: "Beaton & Tukey 1974; Yohai 1987: IRLS from an L1 start whose σ̂ = 1.4826·median|e| is kept"
  ) { problem, options, _ throws(FitError) in
    try IteratedReweighting.tukey(problem, tuning: options.tukeyThreshold)
  }
}

/// M-estimation by iteratively reweighted least squares.
enum IteratedReweighting {
  /// Steps after which the last line is taken; convergence is linear and takes about 15.
  static let maximumIterations = 100
  /// Change of the fitted values between steps, in σ̂, that counts as converged.
  static let tolerance = 1e-7

  /// Weights min(1, k/|e|), k = tuning·σ̂, from the least-squares line; σ̂ follows the residuals.
  static func huber(_ problem: FitProblem, tuning: Double) throws(FitError) -> LineFit {
    // The closed form: a factorisation would add nothing to a start.
    let moments = LeastSquaresLine.Moments(problem, weights: problem.weights)
    let start = LineFit(line: moments.line, inliers: problem.count, design: try problem.design())
    return try iterate(problem, from: start, scale: nil, tuning: tuning) { size in 1 / max(1, size) }
  }

  /// Weights (1 − (e/c)²)² within c = tuning·σ̂ and 0 beyond.
  ///
  /// The scale is that of the L1 start and stays: each step then lowers Σρ(e/σ̂), so the iteration converges,
  /// to the minimum next to a start that outliers in y cannot carry away. Re-estimated with every step it would
  /// have no objective, and a redescending weight can then shrink scale and inliers together.
  static func tukey(_ problem: FitProblem, tuning: Double) throws(FitError) -> LineFit {
    let design = try problem.design()
    let line = try LeastAbsoluteDeviations.line(problem.anchors(LeastAbsoluteDeviations.anchorLimit))
    let start = LineFit(line: line, inliers: problem.count, design: design)
    let scale = residualScale(problem.residuals(of: line), problem.weights)
    return try iterate(problem, from: start, scale: scale, tuning: tuning) { size in
      let rest = max(0, 1 - size * size)
      return rest * rest
    }
  }

  /// σ̂ = 1.4826·median|e|
  /// - Parameter guess: σ̂ of the step before, which only saves time.
  /// - Parameter share: How far from it the new one is looked for first, relative.
  static func residualScale(
    _ residuals: [Double], _ weights: [Double]?, near guess: Double? = nil, within share: Double = 0.15
  ) -> Double {
    let factor = OrderStatistics.normalConsistency
    guard let guess, weights == nil
    else { return factor * (OrderStatistics.medianAbsolute(residuals, weights: weights) ?? 0) }
    return factor * (OrderStatistics.medianAbsolute(residuals, near: guess / factor, within: share) ?? 0)
  }

  /// - Parameter scale: σ̂ where it stays; nil to estimate it anew in each step.
  /// - Parameter weight: Of |e|/(tuning·σ̂).
  @inline(__always) private static func iterate(
    _ problem: FitProblem, from start: LineFit, scale: Double?, tuning: Double, weight: (Double) -> Double
  ) throws(FitError) -> LineFit {
    var fit = start
    let smallest = 1e-14 * problem.magnitude
    let sdX = fit.design.spread * problem.x.reduce(0) { max($0, abs($1)) }
    var weights = [Double](repeating: 1, count: problem.count)
    var residuals = problem.residuals(of: fit.line)
    var sigma = scale ?? residualScale(residuals, problem.weights)
    // Convergence is linear: σ̂ changes less from step to step.
    var share = 0.15
    var iterations = 1
    while iterations < maximumIterations {
      // More than half of the pairs lie on the line to rounding: nothing left to weigh.
      guard sigma > smallest else { break }
      let unit = 1 / (tuning * sigma)
      weights.withUnsafeMutableBufferPointer { weights in
        residuals.withUnsafeBufferPointer { residuals in
          for i in 0..<residuals.count { weights[i] = weight(abs(residuals[i]) * unit) }
        }
      }
      if let prior = problem.weights { for i in weights.indices { weights[i] *= prior[i] } }
      let moments = LeastSquaresLine.Moments(problem, weights: weights), line = moments.line
      guard line.scale.isFinite, line.shift.isFinite else { break }
      let slopeChange = abs(line.scale - fit.line.scale) * sdX
      let levelChange = abs(
        line.scale * moments.meanX + line.shift - (fit.line.scale * moments.meanX + fit.line.shift))
      fit.line = line
      residuals = problem.residuals(of: line)
      iterations += 1
      let previous = sigma
      sigma = scale ?? residualScale(residuals, problem.weights, near: sigma, within: share)
      share = min(0.15, max(1e-3, 2 * abs(sigma / previous - 1)))
      if slopeChange + levelChange <= tolerance * previous { break }
    }
    // The closed form served the steps; the last one is LAPACK's, which also sees the final weights' rank.
    if iterations > 1 { fit = try LeastSquaresLine.solve(problem, weights: weights) }
    fit.iterations = iterations
    let limit = tuning * sigma
    fit.inliers = residuals.reduce(0) { $0 + (abs($1) <= limit ? 1 : 0) }
    return fit
  }
}
