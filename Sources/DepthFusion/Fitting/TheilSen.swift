import DepthCore

extension Estimator {
  /// Median of the slopes of all pairs of observations.
  public static let theilSen = Estimator(
    id: "theil-sen", title: "Theil–Sen",
    source: "Sen 1968; all pairs of at most 1500 observations, evenly spaced in the order of (x, y)"
  ) { problem, _, _ throws(FitError) in
    try TheilSenLine.fit(problem)
  }
}

/// α = median of (y_j − y_i)/(x_j − x_i) over x_i ≠ x_j, each of weight w_i·w_j; β = median of y − α·x.
enum TheilSenLine {
  /// Observations whose slopes are taken: a million slopes.
  static let anchorLimit = 1500

  static func fit(_ problem: FitProblem) throws(FitError) -> LineFit {
    let design = try problem.design(), anchors = problem.anchors(anchorLimit)
    let (slopes, weights) = pairwiseSlopes(anchors)
    guard let scale = OrderStatistics.median(of: slopes, weights: weights),
      let shift = OrderStatistics.median(
        of: problem.residuals(of: Line(scale: scale, shift: 0)), weights: problem.weights)
    else { throw .degenerate(design) }
    return LineFit(line: Line(scale: scale, shift: shift), inliers: problem.count, design: design)
  }

  /// - Parameter problem: Observations in ascending order of x.
  private static func pairwiseSlopes(_ problem: FitProblem) -> (slopes: [Double], weights: [Double]?) {
    let count = problem.count, capacity = count * (count - 1) / 2
    func filled(_ value: (_ i: Int, _ j: Int) -> Double) -> [Double] {
      [Double](unsafeUninitializedCapacity: capacity) { buffer, initialized in
        problem.x.withUnsafeBufferPointer { x in
          for i in 0..<count {
            for j in i + 1..<max(count, i + 1) where x[j] > x[i] {
              buffer[initialized] = value(i, j)
              initialized += 1
            }
          }
        }
      }
    }
    let slopes = problem.x.withUnsafeBufferPointer { x in
      problem.y.withUnsafeBufferPointer { y in filled { (y[$1] - y[$0]) / (x[$1] - x[$0]) } }
    }
    return (slopes, problem.weights.map { weights in filled { weights[$0] * weights[$1] } })
  }
}
