/// Student's t distribution.
public enum StudentDistribution {
  /// The value that is exceeded with probability 1 − p.
  ///
  /// - Parameters:
  ///   - p: 0.5…1, exclusive of 1; the lower half follows by symmetry.
  ///   - freedom: Degrees of freedom, at least 1.
  public static func quantile(_ p: Double, freedom: Int) -> Double {
    precondition(p > 0 && p < 1 && freedom >= 1, "a probability, and at least one degree of freedom")
    if p < 0.5 { return -quantile(1 - p, freedom: freedom) }
    // P(T > t) is half of P(F > t²) with 1 and n degrees of freedom.
    func tail(_ t: Double) -> Double { TailProbabilities.fisherF(t * t, 1, Double(freedom)) / 2 }
    var (low, high) = (0.0, 2.0)
    while tail(high) > 1 - p { high *= 2 }
    for _ in 0..<200 where low < high {
      let middle = (low + high) / 2
      if middle <= low || middle >= high { break }
      if tail(middle) > 1 - p { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
