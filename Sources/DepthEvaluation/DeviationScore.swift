/// A number that says how honest or how useful stated standard deviations σ of a depth map are, or how useful its scores of confidence c.
///
/// Errors are e = d − g and z = e/σ, over the truth pixels at which the map has depth and a usable σ (domain §3).
public enum DeviationScore: String, CaseIterable, Sendable {
  case coverage50 = "coverage_50", coverage80 = "coverage_80", coverage95 = "coverage_95", meanZ = "z_mean"
  case deviationZ = "z_sd", halfWidthZ = "z_half_width", logScore = "negative_log_score", crps = "crps_m"
  case sharpness = "mean_deviation_m", slope = "calibration_slope", ause = "ause_deviation_m"
  case aurg = "aurg_deviation_m", explained = "explained_share", unusable = "unusable_share"
  /// Position in lists of scores.
  public var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// Probability of the interval of a coverage; nil for any other score.
  var probability: Double? {
    switch self {
    case .coverage50: 0.5
    case .coverage80: 0.8
    case .coverage95: 0.95
    default: nil
    }
  }

  public var unit: Metric.Unit {
    switch self {
    case .coverage50, .coverage80, .coverage95, .explained, .unusable: .share
    case .crps, .sharpness, .ause, .aurg: .metre
    case .meanZ, .deviationZ, .halfWidthZ, .logScore, .slope: .none
    }
  }

  /// What it is, as the table dictionary says it.
  public var meaning: String {
    switch self {
    case .coverage50, .coverage80, .coverage95:
      "share of the pixels with |z| ≤ Φ⁻¹((1+p)/2), p = \(probability ?? 0); honest σ give p"
    case .meanZ: "mean of z = (d−g)/σ; honest σ without bias give 0"
    case .deviationZ: "standard deviation of z; honest σ give 1"
    case .halfWidthZ:
      "half the distance of the quantiles Φ(−1) and Φ(1) of z, which outliers do not change; honest σ give 1"
    case .logScore: "mean of ln(σ√(2π)) + z²/2, of the Gaussian of d and σ; lower is better"
    case .crps:
      "mean of σ·(z·(2Φ(z)−1) + 2φ(z) − 1/√π), the continuous ranked probability score of that Gaussian; lower is better"
    case .sharpness: "mean of σ; of two honest σ the smaller is better"
    case .slope:
      "slope of the least-squares line of root-mean-square error on root-mean-square σ over \(DeviationScores.groupCount) groups of pixels by σ; honest σ give 1"
    case .ause:
      "mean |d−g| of the pixels left when 0…99 % with the largest σ or smallest c are removed, less that without the largest errors: area between both curves; 0 is ideal"
    case .aurg:
      "area between removal at random and by σ or c; above 0 where it tells large errors from small ones"
    case .explained:
      "aurg_deviation_m/(aurg_deviation_m + ause_deviation_m): share of the ideal order's gain; 1 is ideal, 0 is random"
    case .unusable:
      "share of the predicted truth pixels whose σ is 0, negative or not a number, or whose c is not a number: they count nowhere else"
    }
  }

  /// Values that it can have.
  package var possible: ClosedRange<Double> {
    switch self {
    case .coverage50, .coverage80, .coverage95, .unusable: 0...1
    case .deviationZ, .halfWidthZ, .crps, .sharpness, .ause: 0...(.infinity)
    case .explained: -.infinity...1
    case .meanZ, .logScore, .slope, .aurg: -.infinity ... .infinity
    }
  }
}
