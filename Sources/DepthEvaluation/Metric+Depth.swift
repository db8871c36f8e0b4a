import FathomStatistics

extension Metric {
  /// Every metric of a depth map, in the order of the columns.
  public static let depth: [Metric] = [
    .coverage, .absRel, .sqRel, .rmse, .rmseLog, .log10, .silog, .mae, .medianAE, .p90AE, .p95AE, .bias,
    .deltaHalf, .delta1, .delta2, .delta3, .irmse,
  ]

  /// Share of the truth pixels that have a prediction.
  public static let coverage = Metric(
    id: "coverage", title: "coverage", unit: .share, direction: .higherIsBetter,
    formula: "truth pixels with a prediction / truth pixels", rule: .coverage,
    hasInterval: false, isZeroWhereRefused: true)

  /// Mean relative error.
  public static let absRel = Metric(
    id: "abs_rel", title: "AbsRel", unit: .none, formula: "mean(|d−g|/g)", rule: .mean(.relative),
    supports: Support.allCases, display: .percent)

  /// Eigen's squared relative error.
  public static let sqRel = Metric(
    id: "sq_rel_m", title: "SqRel", unit: .metre, formula: "mean((d−g)²/g)", rule: .mean(.squaredByTruth))

  /// Root mean square error.
  public static let rmse = Metric(
    id: "rmse_m", title: "RMSE", unit: .metre, formula: "√mean((d−g)²)", rule: .rootMean(.squared),
    supports: Support.allCases)

  /// Root mean square logarithmic error.
  public static let rmseLog = Metric(
    id: "rmse_log", title: "RMSE log", unit: .none, formula: "√mean(e²)", rule: .rootMean(.logSquared))

  /// Mean absolute decadic logarithmic error.
  public static let log10 = Metric(
    id: "log10", title: "log₁₀", unit: .none, formula: "mean|log₁₀ d − log₁₀ g|",
    // 1/ln 10
    rule: .mean(.logAbsolute, times: 0.434_294_481_903_251_8))

  /// Scale-invariant logarithmic error with λ = 1, times 100.
  public static let silog = Metric(
    id: "silog", title: "SILog", unit: .none, formula: "100·√(mean(e²) − mean(e)²)",
    rule: .logSpread(times: 100))

  /// Mean absolute error, the L1 of the tables of depth completion.
  public static let mae = Metric(
    id: "mae_m", title: "MAE", unit: .metre, formula: "mean|d−g|", rule: .mean(.absolute),
    supports: Support.allCases)

  public static let medianAE = absoluteErrorQuantile(0.5, id: "median_ae_m", title: "median |error|")
  /// 90th percentile of the absolute error.
  public static let p90AE = absoluteErrorQuantile(0.9, id: "p90_ae_m", title: "P90 |error|")
  /// 95th percentile of the absolute error.
  public static let p95AE = absoluteErrorQuantile(0.95, id: "p95_ae_m", title: "P95 |error|")

  private static func absoluteErrorQuantile(_ q: Double, id: String, title: String) -> Metric {
    Metric(
      id: id, title: title, unit: .metre, formula: "\(q)-quantile of |d−g|, linear",
      rule: .quantile(ErrorQuantile(measure: .absolute, share: q)))
  }

  /// Mean signed error; positive is too far.
  public static let bias = Metric(
    id: "bias_m", title: "bias", unit: .metre, direction: .zeroIsBest, formula: "mean(d−g)",
    rule: .mean(.signed))

  /// δ with exponent ½, the sharpest of the four.
  public static let deltaHalf = delta(.half, id: "delta_0_5", title: "δ½")
  /// δ₁ of Eigen et al.
  public static let delta1 = delta(.one, id: "delta_1", title: "δ₁", supports: Support.allCases)
  /// δ₂ of Eigen et al.
  public static let delta2 = delta(.two, id: "delta_2", title: "δ₂")
  /// δ₃ of Eigen et al.
  public static let delta3 = delta(.three, id: "delta_3", title: "δ₃")

  private static func delta(
    _ limit: RatioLimit, id: String, title: String, supports: [Support] = [.all]
  ) -> Metric {
    Metric(
      id: id, title: title, unit: .share, direction: .higherIsBetter,
      formula: "share of truth pixels with max(d/g, g/d) < \(limit.words)", rule: .share(limit),
      supports: supports)
  }

  /// Root mean square error of the inverse depth.
  public static let irmse = Metric(
    id: "irmse_per_m", title: "iRMSE", unit: .perMetre, formula: "√mean((1/d−1/g)²)",
    rule: .rootMean(.squaredInverse))

  /// Median relative error; the figure that phone LiDAR confidence levels are compared by.
  public static let medianRel = Metric(
    id: "median_rel", title: "median |error|/g", unit: .none, formula: "median(|d−g|/g)",
    rule: .quantile(ErrorQuantile(measure: .relative, share: 0.5)), display: .percent)
}
