import DepthCore

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
package enum LeastAbsoluteDeviations {
  /// Pairs that are fitted at most: each step costs O(n), and their sampling error is far below a map's own errors.
  static let anchorLimit = 4096
  /// - Parameter relativeTolerance: Width of the final bracket as a share of rms(e)/sd(x) of least squares.
  /// - Throws: `FitError` `.tooFewPairs` or `.degenerate` where least squares has no line either.
  package static func line(_ problem: FitProblem, relativeTolerance: Double = 1e-13) throws(FitError) -> Line
  {
    guard problem.count >= 2 else { throw .tooFewPairs(found: problem.count, needed: 2) }
    let moments = LeastSquaresLine.Moments(problem, weights: problem.weights)
    let design = try moments.determinedDesign(), start = moments.line
    let squares = problem.residuals(of: start).reduce(0) { $0 + $1 * $1 }
    // How far the optimum can reasonably be: one rms residual over one deviation of x.
    let deviation = design.spread * moments.maximumX
    let step = max((squares / Double(problem.count)).squareRoot() / deviation, abs(start.scale) * 1e-15)
    guard step > 0 else { return start }
    return line(problem, start: start.scale, step: step, relativeTolerance: relativeTolerance)
  }

  /// - Parameter problem: Observations; thin them first, each step costs O(n).
  /// - Parameter start: Slope to search around, and the step to begin with; only the time depends on them.
  /// - Parameter relativeTolerance: Width of the final bracket as a share of the initial step.
  /// - Precondition: at least two observations; `step` positive.
  static func line(
    _ problem: FitProblem, start: Double, step: Double, relativeTolerance: Double = 1e-12
  ) -> Line {
    var profile = Profile(problem), low = start - step, high = start + step, width = step
    // Convexity: once the derivative has changed sign the optimum is enclosed. 1100 doublings span a Double.
    for _ in 0..<1100 {
      let negativeAtLow = profile.at(low).derivative <= 0
      let positiveAtHigh = profile.at(high).derivative >= 0
      if negativeAtLow && positiveAtHigh { break }
      if !negativeAtLow { low -= width }
      if !positiveAtHigh { high += width }
      width *= 2
    }
    let tolerance = max(step * relativeTolerance, .leastNormalMagnitude)
    while high - low > tolerance {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high else { break }
      let derivative = profile.at(middle).derivative
      if derivative == 0 { (low, high) = (middle, middle) }
      if derivative < 0 { low = middle } else if derivative > 0 { high = middle }
    }
    let slope = low + (high - low) / 2
    return Line(scale: slope, shift: profile.at(slope).shift)
  }

  /// The least sum for a slope, as a function of the slope.
  private struct Profile {
    private let problem: FitProblem
    /// Mean and standard deviation of the regressors.
    private let meanX: Double, deviation: Double
    private var offsets: [Double]
    /// Slope and shift of the evaluation before.
    private var last: Line?

    init(_ problem: FitProblem) {
      self.problem = problem
      let count = Double(problem.count), mean = problem.x.reduce(0, +) / count
      meanX = mean
      deviation = (problem.x.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot()
      offsets = [Double](repeating: 0, count: problem.count)
    }

    /// Derivative of the least sum, and the shift that attains it.
    ///
    /// The observation m at the median has residual 0 and takes the subgradient that balances the others, so
    /// the derivative is −Σ w sign(e)(x − x_m).
    mutating func at(_ slope: Double) -> (derivative: Double, shift: Double) {
      offsets.withUnsafeMutableBufferPointer { offsets in
        problem.x.withUnsafeBufferPointer { x in
          problem.y.withUnsafeBufferPointer { y in
            for i in 0..<offsets.count { offsets[i] = y[i] - slope * x[i] }
          }
        }
      }
      // One of the values, so that an observation has residual exactly 0.
      let shift =
        problem.weights.map { OrderStatistics.lowerMedian(of: offsets, weights: $0) } ?? median(slope)
      last = Line(scale: slope, shift: shift)
      var (sumSign, sumSignX, pivotX) = (0.0, 0.0, 0.0)
      offsets.withUnsafeBufferPointer { offsets in
        problem.x.withUnsafeBufferPointer { x in
          if let weights = problem.weights {
            for i in 0..<offsets.count {
              let weight = Self.sign(offsets[i], shift) * weights[i]
              sumSign += weight
              sumSignX += weight * x[i]
              pivotX = offsets[i] == shift ? x[i] : pivotX
            }
          } else {
            for i in 0..<offsets.count {
              let sign = Self.sign(offsets[i], shift)
              sumSign += sign
              sumSignX += sign * x[i]
              pivotX = offsets[i] == shift ? x[i] : pivotX
            }
          }
        }
      }
      return (-(sumSignX - sumSign * pivotX), shift)
    }

    @inline(__always) private static func sign(_ offset: Double, _ shift: Double) -> Double {
      (offset > shift ? 1 : 0) - (offset < shift ? 1 : 0)
    }

    /// The lower median of the offsets, looked for where the last one leads to: a change of slope by δ moves
    /// it by about −δ·x̄.
    private func median(_ slope: Double) -> Double {
      let rank = (offsets.count - 1) / 2
      guard let last else { return OrderStatistics.lowerMedian(of: offsets, weights: nil) }
      let change = slope - last.scale, centre = last.shift - change * meanX
      let radius = abs(change) * deviation + 1e-12 * abs(centre)
      return OrderStatistics.select(rank, in: offsets, between: centre - radius, and: centre + radius)
    }
  }
}
