internal import DepthCore
internal import Foundation

/// Maximum-likelihood fit of a level's ``NoiseParameters``.
///
/// Expectation maximisation: the probability of being no outlier weighs each sample; given these weights μ is a weighted
/// regression, and (A, B) a step of Fisher scoring, the regression of the squared residuals on 1 and d² with weights 1/σ⁴
/// under A ≥ 0, B ≥ 0.
/// - SeeAlso: Dempster, Laird & Rubin 1977 (EM); Davidian & Carroll 1987 (variance functions).
public struct NoiseFit: Sendable {
  /// Samples below which nothing is fitted.
  public static let fewestSamples = 50
  private static let (mostSteps, tolerance) = (2000, 1e-7)
  public let parameters: NoiseParameters
  /// Steps taken, and whether the likelihood came to rest.
  public let steps: Int, hasConverged: Bool

  /// Why there is no fit.
  public enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
    case tooFewSamples(Int), equalErrors
    /// Share of the samples that are not noise about any line.
    case mostlyOutliers(Double)

    /// The case without its number.
    public enum Reason: String, Codable, Sendable {
      case tooFewPixels = "too-few-pixels", equalErrors = "equal-errors", mostlyOutliers = "mostly-outliers"
    }

    public var reason: Reason {
      switch self {
      case .tooFewSamples: .tooFewPixels
      case .equalErrors: .equalErrors
      case .mostlyOutliers: .mostlyOutliers
      }
    }

    public var description: String {
      switch self {
      case .tooFewSamples(let count): "\(count) pixels, \(NoiseFit.fewestSamples) are needed"
      case .equalErrors: "more than half of the errors are equal: the truth comes from the same values"
      case .mostlyOutliers(let share):
        "\(Int(saturating: (100 * share).rounded())) % of the errors do not scatter around any line: the unit, layout or truth may be wrong; see 'fathom diagnose'"
      }
    }
  }

  /// - Parameter samples: Depths positive, errors finite.
  /// - Parameter start: Where to begin; nil for the median and the median absolute deviation.
  public init(_ samples: [ErrorSample], from start: NoiseParameters? = nil) throws(Failure) {
    guard samples.count >= Self.fewestSamples else { throw .tooFewSamples(samples.count) }
    var current: NoiseParameters
    if let start { current = start } else { current = try Self.start(samples) }
    var likelihood = -Double.infinity
    for step in 1...Self.mostSteps {
      let (next, value) = Self.step(samples, current)
      let gain = value - likelihood
      likelihood = value
      // Summing n logarithms leaves that much rounding.
      if abs(gain) < Self.tolerance * (1 + 1e-6 * abs(value)) {
        try Self.check(current)
        (parameters, steps, hasConverged) = (current, step, true)
        return
      }
      current = next
    }
    try Self.check(current)
    (parameters, steps, hasConverged) = (current, Self.mostSteps, false)
  }

  /// A law of the smaller part of the errors is not a law of the sensor.
  private static func check(_ parameters: NoiseParameters) throws(Failure) {
    if parameters.outlierShare > 0.5 { throw .mostlyOutliers(parameters.outlierShare) }
  }

  private static func start(_ samples: [ErrorSample]) throws(Failure) -> NoiseParameters {
    let median = OrderStatistics.median(of: samples.map(\.error)) ?? 0
    let deviation =
      OrderStatistics.normalConsistency
      * (OrderStatistics.median(of: samples.map { abs($0.error - median) }) ?? 0)
    guard deviation > 0 else { throw .equalErrors }
    let square = samples.reduce(0) { $0 + $1.depth * $1.depth } / Double(samples.count)
    let variance = deviation * deviation
    return NoiseParameters(
      bias: median, biasSlope: 0, constant: variance / 2, proportional: variance / 2 / square,
      outlierShare: 0.02)
  }

  /// One step, and the log-likelihood before it.
  private static func step(
    _ samples: [ErrorSample], _ current: NoiseParameters
  ) -> (NoiseParameters, Double) {
    var (mean, variance) = (WeightedLine(), WeightedLine())
    var (logs, inliers) = (LogProduct(), 0.0)
    samples.withUnsafeBufferPointer { samples in
      for sample in samples {
        let part = current.density(sample)
        logs.multiply(by: part.total)
        let share = part.inlierShare(current.outlierShare)
        inliers += share
        let square = sample.depth * sample.depth
        mean.add(x: sample.depth, y: sample.error, weight: share / part.variance)
        variance.add(
          x: square, y: part.residual * part.residual, weight: share / (part.variance * part.variance))
      }
    }
    var next = current
    if let line = mean.line { (next.bias, next.biasSlope) = line }
    if let line = variance.nonNegativeLine { (next.constant, next.proportional) = line }
    next.outlierShare = 1 - inliers / Double(samples.count)
    return (next, logs.value)
  }
}

/// ln of a product of many factors, a logarithm for some hundred of them.
private struct LogProduct {
  private var product = 1.0
  private var sum = 0.0

  @inline(__always) mutating func multiply(by factor: Double) {
    // A density can vanish only where there is no background.
    product *= max(factor, 1e-100)
    if product < 1e-150 || product > 1e150 {
      sum += log(product)
      product = 1
    }
  }

  var value: Double { sum + log(product) }
}

/// Weighted regression y = c₀ + c₁·x from sums.
private struct WeightedLine {
  private var (w, wx, wy, wxx, wxy) = (0.0, 0.0, 0.0, 0.0, 0.0)

  @inline(__always) mutating func add(x: Double, y: Double, weight: Double) {
    w += weight
    wx += weight * x
    wy += weight * y
    wxx += weight * x * x
    wxy += weight * x * y
  }

  /// nil where nothing weighs; without slope where all x are equal.
  var line: (Double, Double)? {
    guard w > 0 else { return nil }
    let (x, y) = (wx / w, wy / w)
    let spread = wxx / w - x * x
    guard spread > 1e-12 * x * x else { return (y, 0) }
    let slope = (wxy / w - x * y) / spread
    return (y - slope * x, slope)
  }

  /// The same under c₀ ≥ 0 and c₁ ≥ 0.
  var nonNegativeLine: (Double, Double)? {
    guard let (constant, slope) = line else { return nil }
    if constant >= 0 && slope >= 0 { return (constant, slope) }
    // The minimum lies on one of the two edges.
    let (flat, steep) = (max(0, wy / w), wxx > 0 ? max(0, wxy / wxx) : 0)
    func reduction(_ constant: Double, _ slope: Double) -> Double {
      2 * (constant * wy + slope * wxy) - constant * constant * w - slope * slope * wxx
    }
    return reduction(flat, 0) >= reduction(0, steep) ? (flat, 0) : (0, steep)
  }
}
