import DepthCore

extension Estimator {
  /// A scale without a shift: the median ratio.
  public static let medianScale = Estimator(
    id: "median-scale", title: "median scale", source: "Zhou et al. 2017; β = 0, α = median(y/x)"
  ) { problem, _, _ throws(FitError) in
    guard problem.count >= 1 else { throw .tooFewPairs(found: 0, needed: 1) }
    let moments = LeastSquaresLine.Moments(problem, weights: problem.weights)
    // One unknown: a constant regressor determines it, one that is 0 everywhere does not.
    let design = try moments.design()
    guard problem.y.allSatisfy(\.isFinite) else { throw .numerical("an observation is not finite", design) }
    let used =
      problem.x.contains(0) ? problem.subset(problem.x.indices.filter { problem.x[$0] != 0 }) : problem
    let ratios = zip(used.x, used.y).map { $1 / $0 }
    guard let scale = OrderStatistics.median(of: ratios, weights: used.weights)
    else { throw .degenerate(design) }
    return LineFit(line: Line(scale: scale, shift: 0), inliers: problem.count, design: design)
  }
}
