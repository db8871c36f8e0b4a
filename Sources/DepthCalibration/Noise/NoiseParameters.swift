public import DepthCore
internal import Foundation

/// A level's error as a distribution: (1−ε)·N(μ(d), σ(d)²) + ε·U, with d the true depth.
///
/// μ(d) = m₀ + m₁·d, σ(d)² = A + B·d² with A = a² and B = b², and a background of density 1/(2d) that takes what no sensor noise
/// explains: for errors of −d…d it is the uniform distribution.
public struct NoiseParameters: Sendable, Hashable {
  /// m₀, metres, and m₁.
  public var bias: Double, biasSlope: Double
  /// A = a², m², and B = b².
  public var constant: Double, proportional: Double
  /// ε.
  public var outlierShare: Double

  public init(bias: Double, biasSlope: Double, constant: Double, proportional: Double, outlierShare: Double) {
    (self.bias, self.biasSlope) = (bias, biasSlope)
    (self.constant, self.proportional, self.outlierShare) = (constant, proportional, outlierShare)
  }

  static let count = 5
  /// Smallest variance, (0.1 mm)²: a tenth of a sensor's step.
  static let leastVariance = 1e-8

  /// In the order m₀, m₁, A, B, ε.
  var vector: [Double] {
    get { [bias, biasSlope, constant, proportional, outlierShare] }
    set {
      (bias, biasSlope, constant, proportional, outlierShare) = (
        newValue[0], newValue[1], newValue[2], newValue[3], newValue[4]
      )
    }
  }

  /// σ(d) = √(a² + (b·d)²).
  public var law: RangeLaw { RangeLaw(a: constant.squareRoot(), b: proportional.squareRoot()) }
  /// μ at a true depth, metres.
  @inline(__always) public func mean(at depth: Double) -> Double { bias + biasSlope * depth }

  /// σ² at a true depth, m².
  @inline(__always) func variance(at depth: Double) -> Double {
    max(Self.leastVariance, constant + proportional * depth * depth)
  }

  /// σ at a true depth, metres.
  public func deviation(at depth: Double) -> Double { variance(at: depth).squareRoot() }

  /// Probability of a smaller error.
  public func cumulative(_ sample: ErrorSample) -> Double {
    let z = (sample.error - mean(at: sample.depth)) / deviation(at: sample.depth)
    let background = min(1, max(0, 0.5 + sample.error / (2 * sample.depth)))
    return (1 - outlierShare) * 0.5 * erfc(-z * 0.5.squareRoot()) + outlierShare * background
  }

  /// The Gaussian's share of the density of a sample, with the other terms that its derivatives need.
  @inline(__always) func density(_ sample: ErrorSample) -> SampleDensity {
    let variance = variance(at: sample.depth), residual = sample.error - mean(at: sample.depth)
    let gaussian = exp(-0.5 * residual * residual / variance) / (2 * Double.pi * variance).squareRoot()
    let background = 1 / (2 * sample.depth)
    return SampleDensity(
      residual: residual, variance: variance, gaussian: gaussian, background: background,
      total: (1 - outlierShare) * gaussian + outlierShare * background)
  }
}

/// The mixture's density at one sample, in parts.
struct SampleDensity {
  /// Error minus μ, metres.
  let residual: Double
  /// σ², m².
  let variance: Double
  /// Densities, 1/m.
  let gaussian: Double, background: Double, total: Double

  /// Probability that the sample is not an outlier.
  @inline(__always)
  func inlierShare(_ outlierShare: Double) -> Double { total > 0 ? (1 - outlierShare) * gaussian / total : 0 }
}
