internal import DepthCore
import Foundation

/// Range of k independent standard normal values: the studentized range with infinite degrees of freedom, which
/// Nemenyi's test refers to.
///
/// The integrals are those of Copenhaver & Holland 1988, by the trapezoid rule, whose error on an analytic integrand
/// with Gaussian tails falls like exp(−(2π/h)²/4): far below rounding at h = 1/32.
package enum StudentizedRange {
  /// P(range > q) = k ∫ φ(z)·[Φ(z)^(k−1) − (Φ(z) − Φ(z−q))^(k−1)] dz, without cancellation in the tail.
  package static func tail(_ q: Double, groups k: Int) -> Double {
    guard q > 0 else { return 1 }
    guard q < 60 else { return 0 }
    let step = 1.0 / 32
    let power = Double(k - 1)
    var sum = 0.0
    for i in Int(-10 / step)...Int(saturating: (q + 10) / step) {
      let z = Double(i) * step
      let below = NormalDistribution.cumulative(z)
      let outside = NormalDistribution.cumulative(z - q) / below
      guard below > 0, outside > 0 else { continue }
      let lost = outside < 1 ? -expm1(power * log1p(-outside)) : 1
      sum += NormalDistribution.density(z) * pow(below, power) * lost
    }
    return min(1, Double(k) * sum * step)
  }

  /// The range that is exceeded with probability `p`, by bisection.
  ///
  /// - Parameter p: Above 0, below 1.
  package static func upperQuantile(_ p: Double, groups k: Int) -> Double {
    var (low, high) = (0.0, 60.0)
    while high - low > 1e-14 * high {
      let middle = (low + high) / 2
      if middle == low || middle == high { break }
      if tail(middle, groups: k) > p { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
