public import DepthCore

/// The noise model of one confidence level with its intervals.
public struct LevelNoise: Sendable {
  public let level: Int, parameters: NoiseParameters
  /// Kept pixels that it was fitted to, and the scenes (or blocks of frames) that they come from.
  public let samples: Int, clusters: Int
  /// Whether the likelihood came to rest.
  public let hasConverged: Bool
  /// With A or B held where it is 0, and without that bound.
  private let covariance: ClusterCovariance?, unbounded: ClusterCovariance?

  /// - Parameter clusters: Kept pixels, scene by scene or block by block.
  init(level: Int, clusters: [[ErrorSample]]) throws(NoiseFit.Failure) {
    let samples = clusters.flatMap { $0 }
    let fit = try NoiseFit(samples)
    self.level = level
    (parameters, hasConverged) = (fit.parameters, fit.hasConverged)
    self.samples = samples.count
    self.clusters = clusters.count { !$0.isEmpty }
    covariance = ClusterCovariance(clusters, at: fit.parameters, holdsBounds: true)
    let isAtBound = fit.parameters.constant == 0 || fit.parameters.proportional == 0
    unbounded = isAtBound ? ClusterCovariance(clusters, at: fit.parameters, holdsBounds: false) : covariance
  }

  /// σ(d) = √(a² + (b·d)²).
  public var law: RangeLaw { parameters.law }
  /// Of a, metres: that of a², cut off at 0, as roots; nil for fewer than two clusters. Likewise below.
  public var a: Interval? {
    (parameters.constant == 0 ? unbounded : covariance)?.interval([0, 0, 1, 0, 0]).root
  }
  /// Of b.
  public var b: Interval? {
    (parameters.proportional == 0 ? unbounded : covariance)?.interval([0, 0, 0, 1, 0]).root
  }
  /// Of m₀, metres.
  public var bias: Interval? { covariance?.interval([1, 0, 0, 0, 0]) }
  /// Of m₁.
  public var biasSlope: Interval? { covariance?.interval([0, 1, 0, 0, 0]) }
  /// Of ε, cut off at 0 and 1.
  public var outlierShare: Interval? {
    covariance.map { covariance in
      let interval = covariance.interval([0, 0, 0, 0, 1])
      return Interval(low: max(0, interval.low), high: min(1, max(0, interval.high)))
    }
  }

  /// Of σ at a true depth, metres.
  public func deviation(at depth: Double) -> Interval? {
    covariance?.interval([0, 0, 1, depth * depth, 0]).root
  }

  /// Of μ at a true depth, metres.
  public func mean(at depth: Double) -> Interval? { covariance?.interval([1, depth, 0, 0, 0]) }
}
