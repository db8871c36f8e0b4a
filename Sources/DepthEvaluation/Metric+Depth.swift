extension Metric {
  /// Every metric of a depth map, in the order of the columns.
  public static let depth: [Metric] = [
    .coverage, .absRel, .sqRel, .rmse, .rmseLog, .log10, .silog, .mae, .medianAE, .p90AE, .p95AE, .bias,
    .deltaHalf, .delta1, .delta2, .delta3, .irmse,
  ]

  /// Share of the truth pixels that have a prediction.
  public static let coverage = Metric(
    id: "coverage", title: "coverage", unit: .share, direction: .higherIsBetter,
    formula: "truth pixels with a prediction / truth pixels", pooling: .share, basis: .truthPixels,
    hasInterval: false, isZeroWhereRefused: true
  ) { $0.truthCount > 0 ? Double($0.count) / Double($0.truthCount) : nil }

  /// Mean relative error.
  public static let absRel = Metric(
    id: "abs_rel", title: "AbsRel", unit: .none, formula: "mean(|d−g|/g)", pooling: .mean,
    supports: Support.allCases, display: .percent
  ) { $0.mean { abs($0 - $1) / $1 } }

  /// Eigen's squared relative error.
  public static let sqRel = Metric(
    id: "sq_rel_m", title: "SqRel", unit: .metre, formula: "mean((d−g)²/g)", pooling: .mean
  ) { $0.mean { ($0 - $1) * ($0 - $1) / $1 } }

  /// Root mean square error.
  public static let rmse = Metric(
    id: "rmse_m", title: "RMSE", unit: .metre, formula: "√mean((d−g)²)", pooling: .rootMean,
    supports: Support.allCases
  ) { $0.mean { ($0 - $1) * ($0 - $1) }?.squareRoot() }

  /// Root mean square logarithmic error.
  public static let rmseLog = Metric(
    id: "rmse_log", title: "RMSE log", unit: .none, formula: "√mean(e²)", pooling: .rootMean
  ) { $0.meanLog { $0 * $0 }?.squareRoot() }

  /// Mean absolute decadic logarithmic error.
  public static let log10 = Metric(
    id: "log10", title: "log₁₀", unit: .none, formula: "mean|log₁₀ d − log₁₀ g|", pooling: .mean
  ) { $0.meanLog { abs($0) }.map { $0 * 0.434_294_481_903_251_8 } }  // 1/ln 10

  /// Scale-invariant logarithmic error with λ = 1, times 100.
  public static let silog = Metric(
    id: "silog", title: "SILog", unit: .none, formula: "100·√(mean(e²) − mean(e)²)", pooling: .scaleInvariant
  ) { pairs in
    guard let mean = pairs.meanLog({ $0 }) else { return nil }
    // The same about the mean: no cancellation where the spread is small.
    return pairs.meanLog { ($0 - mean) * ($0 - mean) }.map { 100 * $0.squareRoot() }
  }

  /// Mean absolute error, the L1 of the tables of depth completion.
  public static let mae = Metric(
    id: "mae_m", title: "MAE", unit: .metre, formula: "mean|d−g|", pooling: .mean,
    supports: Support.allCases
  ) { $0.mean { abs($0 - $1) } }

  /// Median absolute error.
  public static let medianAE = absoluteErrorQuantile(0.5, id: "median_ae_m", title: "median |error|")
  /// 90th percentile of the absolute error.
  public static let p90AE = absoluteErrorQuantile(0.9, id: "p90_ae_m", title: "P90 |error|")
  /// 95th percentile of the absolute error.
  public static let p95AE = absoluteErrorQuantile(0.95, id: "p95_ae_m", title: "P95 |error|")

  private static func absoluteErrorQuantile(_ q: Double, id: String, title: String) -> Metric {
    Metric(
      id: id, title: title, unit: .metre, formula: "\(q)-quantile of |d−g|, linear", pooling: .quantile(q)
    ) {
      $0.quantile(q) { abs($0 - $1) }
    }
  }

  /// Mean signed error; positive is too far.
  public static let bias = Metric(
    id: "bias_m", title: "bias", unit: .metre, direction: .zeroIsBest, formula: "mean(d−g)", pooling: .mean
  ) { $0.mean { $0 - $1 } }

  /// δ with exponent ½, the sharpest of the four.
  public static let deltaHalf = delta(0.5, id: "delta_0_5", title: "δ½")
  /// δ₁ of Eigen et al.
  public static let delta1 = delta(1, id: "delta_1", title: "δ₁", supports: Support.allCases)
  /// δ₂ of Eigen et al.
  public static let delta2 = delta(2, id: "delta_2", title: "δ₂")
  /// δ₃ of Eigen et al.
  public static let delta3 = delta(3, id: "delta_3", title: "δ₃")

  private static func delta(
    _ exponent: Double, id: String, title: String, supports: [Support] = [.all]
  ) -> Metric {
    let limit =
      switch exponent {
      case 0.5: 1.25.squareRoot()
      case 1: 1.25
      case 2: 1.25 * 1.25
      default: 1.25 * 1.25 * 1.25
      }
    return Metric(
      id: id, title: title, unit: .share, direction: .higherIsBetter,
      formula:
        "share of truth pixels with max(d/g, g/d) < 1.25^\(exponent == 0.5 ? "½" : "\(Int(exponent))")",
      pooling: .share, basis: .truthPixels, supports: supports
    ) { $0.share(below: limit) }
  }

  /// Root mean square error of the inverse depth.
  public static let irmse = Metric(
    id: "irmse_per_m", title: "iRMSE", unit: .perMetre, formula: "√mean((1/d−1/g)²)", pooling: .rootMean
  ) { $0.mean { (1 / $0 - 1 / $1) * (1 / $0 - 1 / $1) }?.squareRoot() }

  /// Median relative error; the figure that phone LiDAR confidence levels are compared by.
  public static let medianRel = Metric(
    id: "median_rel", title: "median |error|/g", unit: .none, formula: "median(|d−g|/g)", display: .percent
  ) { $0.quantile(0.5) { abs($0 - $1) / $1 } }
}
