internal import Foundation

/// The standard normal distribution.
public enum NormalDistribution {
  /// φ(z).
  public static func density(_ z: Double) -> Double { exp(-0.5 * z * z) / (2 * Double.pi).squareRoot() }
  /// Φ(z), with full relative precision in the lower tail.
  public static func cumulative(_ z: Double) -> Double { 0.5 * erfc(-z * 0.5.squareRoot()) }

  /// Φ⁻¹(p): a rational approximation (P. J. Acklam 2003, relative error 1e-9), then two of Halley's steps.
  /// - Parameter p: 0…1; the ends give −∞ and ∞.
  public static func quantile(_ p: Double) -> Double {
    guard p > 0 else { return -.infinity }
    guard p < 1 else { return .infinity }
    // The upper half by symmetry: 1 − p is exact there.
    guard p <= 0.5 else { return -quantile(1 - p) }
    var z = approximateQuantile(p)
    for _ in 0..<2 {
      let step = (cumulative(z) - p) / density(z)
      z -= step / (1 + z * step / 2)
    }
    return z
  }

  /// - Precondition: 0 < p ≤ ½.
  private static func approximateQuantile(_ p: Double) -> Double {
    if p < 0.02425 {
      let q = (-2 * log(p)).squareRoot()
      let numerator = polynomial(
        [
          -7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00, -2.549732539343734e+00,
          4.374664141464968e+00, 2.938163982698783e+00,
        ], q)
      return numerator
        / polynomial(
          [7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00, 1], q)
    }
    let q = p - 0.5
    let r = q * q
    let numerator = polynomial(
      [
        -3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02, 1.383577518672690e+02,
        -3.066479806614716e+01, 2.506628277459239e+00,
      ], r)
    return numerator * q
      / polynomial(
        [
          -5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02, 6.680131188771972e+01,
          -1.328068155288572e+01, 1,
        ], r)
  }

  /// Horner's scheme, highest power first.
  private static func polynomial(_ coefficients: [Double], _ x: Double) -> Double {
    coefficients.reduce(0) { $0 * x + $1 }
  }
}
