extension Estimator {
  /// Least squares, every pair alike.
  public static let ols = Estimator(
    id: "ols", title: "least squares", source: "LAPACK dgels on centred columns", isLeastSquares: true
  ) { problem, _, _ throws(FitError) in
    try LeastSquaresLine.solve(problem)
  }

  /// Least squares with each pair weighted by its confidence.
  public static let wls = Estimator(
    id: "wls", title: "confidence-weighted least squares",
    source: "LAPACK dgels on centred, weighted columns",
    defaultMinConfidence: 1, isConfidenceWeighted: true, isLeastSquares: true
  ) { problem, _, _ throws(FitError) in
    try LeastSquaresLine.solve(problem)
  }
}
