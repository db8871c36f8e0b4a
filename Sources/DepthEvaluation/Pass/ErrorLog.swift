import CFathomKernels

/// Natural logarithms as the kernel computes them: within 2 units in the last place of the exact ones, and the same on every
/// processor, which the system's library does not promise.
enum ErrorLog {
  /// ln(d/g) of finite positive numbers.
  static func ratio(_ d: Double, _ g: Double) -> Double { of([d / g])[0] }

  /// Of finite positive numbers.
  static func of(_ numbers: [Double]) -> [Double] {
    [Double](unsafeUninitializedCapacity: numbers.count) { result, count in
      count = numbers.count
      if let target = result.baseAddress { error_terms_log(numbers, numbers.count, target) }
    }
  }
}
