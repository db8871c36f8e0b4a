internal import DepthCore
import Foundation

/// Range of k independent standard normal values: the studentized range with infinite degrees of freedom, which
/// Nemenyi's test refers to.
///
/// The integrals are those of Copenhaver & Holland 1988, by the trapezoid rule, whose error on an analytic integrand
/// with Gaussian tails falls like exp(−(2π/h)²/4): far below rounding at h = 1/32.
package enum StudentizedRange {
  /// P(range > q) = k ∫ φ(z)·[Φ(z)^(k−1) − (Φ(z) − Φ(z−q))^(k−1)] dz, without cancellation in the tail.
  package static func tail(_ q: Double, groups k: Int) -> Double { tail(q, Nodes(groups: k, upTo: q)) }

  /// What the integral has at its nodes whatever the range: Φ(z), and φ(z)·Φ(z)^(k−1).
  private struct Nodes {
    static let step = 1.0 / 32, greatestRange = 60.0
    private static let first = Int(-10 / step)
    let groups: Int, below: [Double], weights: [Double]

    /// - Parameter range: The greatest that will be asked for.
    init(groups k: Int, upTo range: Double) {
      groups = k
      let power = Double(k - 1)
      let places = (0..<Self.count(upTo: range)).map(Self.place)
      let below = places.map { NormalDistribution.cumulative($0) }
      weights = zip(places, below).map { NormalDistribution.density($0) * pow($1, power) }
      self.below = below
    }

    static func place(_ node: Int) -> Double { Double(first + node) * step }

    static func count(upTo range: Double) -> Int {
      max(0, Int(saturating: (min(range, greatestRange) + 10) / step) - first + 1)
    }
  }

  private static func tail(_ q: Double, _ nodes: Nodes) -> Double {
    guard q > 0 else { return 1 }
    guard q < Nodes.greatestRange else { return 0 }
    let power = Double(nodes.groups - 1)
    var sum = 0.0
    for node in 0..<Nodes.count(upTo: q) {
      let below = nodes.below[node]
      let outside = NormalDistribution.cumulative(Nodes.place(node) - q) / below
      guard below > 0, outside > 0 else { continue }
      let lost = outside < 1 ? -expm1(power * log1p(-outside)) : 1
      sum += nodes.weights[node] * lost
    }
    return min(1, Double(nodes.groups) * sum * Nodes.step)
  }

  /// The range that is exceeded with probability `p`, by bisection.
  /// - Parameter p: Above 0, below 1.
  package static func upperQuantile(_ p: Double, groups k: Int) -> Double {
    var (low, high) = (0.0, Nodes.greatestRange)
    let nodes = Nodes(groups: k, upTo: high)
    while high - low > 1e-14 * high {
      let middle = (low + high) / 2
      if middle == low || middle == high { break }
      if tail(middle, nodes) > p { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
