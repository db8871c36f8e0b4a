import Foundation

/// Upper tails of the distributions that tests of several methods refer to.
package enum TailProbabilities {
  /// P(X > x) for χ² with `freedom` degrees.
  package static func chiSquared(_ x: Double, freedom: Double) -> Double {
    x > 0 ? upperGamma(freedom / 2, x / 2) : 1
  }

  /// The x that χ² with `freedom` degrees exceeds with this probability.
  package static func chiSquaredQuantile(_ tail: Double, freedom: Double) -> Double {
    argument(of: tail) { chiSquared($0, freedom: freedom) }
  }

  /// Where an upper tail, which falls from 1 at 0, has a value between 0 and 1.
  package static func argument(of tail: Double, _ upper: (Double) -> Double) -> Double {
    var (low, high) = (0.0, 1.0)
    while upper(high) > tail { (low, high) = (high, 2 * high) }
    // Halve until the two are adjacent numbers.
    while true {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high else { return middle }
      if upper(middle) > tail { low = middle } else { high = middle }
    }
  }

  /// P(X > x) for the noncentral F with `first` and `second` degrees: Fisher's F, weighted by Poisson's probabilities.
  /// - Parameter noncentrality: λ ≥ 0, at most ``largestNoncentrality``: the number of terms grows with its root.
  /// - SeeAlso: Abramowitz & Stegun 26.6.20.
  package static func noncentralF(
    _ x: Double, _ first: Double, _ second: Double, noncentrality: Double
  ) -> Double {
    guard x > 0 else { return 1 }
    let mean = noncentrality / 2
    let reach = 9 * mean.squareRoot() + 40
    let share = second / (second + first * x)
    return (Int(max(0, mean - reach))...Int(mean + reach)).reduce(0) { sum, j in
      let j = Double(j)
      let weight = j == 0 ? exp(-mean) : mean > 0 ? exp(j * log(mean) - mean - logGamma(j + 1)) : 0
      return weight > 0 ? sum + weight * regularizedBeta(share, second / 2, first / 2 + j) : sum
    }
  }

  /// Largest λ of ``noncentralF(_:_:_:noncentrality:)``.
  package static let largestNoncentrality = 1e5

  /// P(X > x) for Fisher's F with `first` and `second` degrees.
  package static func fisherF(_ x: Double, _ first: Double, _ second: Double) -> Double {
    guard x > 0 else { return 1 }
    guard x.isFinite else { return 0 }
    // The argument that stays away from 1 when x is large: no cancellation in the tail.
    return regularizedBeta(second / (second + first * x), second / 2, first / 2)
  }

  /// Regularised upper incomplete gamma function Q(a, x): a series below a + 1, Lentz's continued fraction above.
  /// - SeeAlso: Abramowitz & Stegun 6.5.29, 6.5.31; Press et al., Numerical Recipes, §6.2.
  package static func upperGamma(_ a: Double, _ x: Double) -> Double {
    guard x > 0 else { return 1 }
    let scale = exp(a * log(x) - x - logGamma(a))
    if x < a + 1 {
      var (term, sum, n) = (1 / a, 1 / a, a)
      while abs(term) > abs(sum) * 1e-17 {
        n += 1
        term *= x / n
        sum += term
      }
      return 1 - scale * sum
    }
    var fraction = ContinuedFraction(first: x + 1 - a)
    for i in 1..<10_000 {
      let i = Double(i)
      if fraction.append(-i * (i - a), x + 2 * i + 1 - a) { break }
    }
    return scale / fraction.value
  }

  /// Regularised incomplete beta function I_x(a, b) by its continued fraction.
  /// - SeeAlso: Abramowitz & Stegun 26.5.8; Press et al., Numerical Recipes, §6.4.
  package static func regularizedBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    // The fraction converges fast below the mean only.
    guard x <= (a + 1) / (a + b + 2) else { return 1 - regularizedBeta(1 - x, b, a) }
    let front = exp(a * log(x) + b * log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b)) / a
    var fraction = ContinuedFraction(first: 1)
    for m in 0..<10_000 {
      let m = Double(m)
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      let even = (m + 1) * (b - m - 1) * x / ((a + 2 * m + 1) * (a + 2 * m + 2))
      _ = fraction.append(odd, 1)
      if fraction.append(even, 1) { break }
    }
    return front / fraction.value
  }

  /// ln Γ(x) for x > 0.
  private static func logGamma(_ x: Double) -> Double {
    let (value, _): (Double, Int) = lgamma(x)
    return value
  }
}

/// b₀ + a₁/(b₁ + a₂/(b₂ + …)), term by term (Lentz 1976 as modified by Thompson & Barnett 1986).
private struct ContinuedFraction {
  package private(set) var value: Double
  private var c: Double
  private var d = 0.0
  package init(first: Double) { (value, c) = (first, first) }

  /// - Returns: Whether the last term changed nothing any more.
  package mutating func append(_ a: Double, _ b: Double) -> Bool {
    let tiny = 1e-300
    d = b + a * d
    if abs(d) < tiny { d = tiny }
    d = 1 / d
    c = b + a / c
    if abs(c) < tiny { c = tiny }
    let factor = c * d
    value *= factor
    return abs(factor - 1) < 1e-16
  }
}
