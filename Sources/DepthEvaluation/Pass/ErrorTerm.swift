/// What is summed over pixels: d is the prediction, g the truth, e = ln d − ln g. In the order of the kernel.
public enum ErrorTerm: Int, Sendable, CaseIterable {
  /// |d−g|, metres.
  case absolute
  /// d−g, metres.
  case signed
  /// (d−g)², square metres.
  case squared
  /// |d−g|/g
  case relative
  /// (d−g)²/g, metres.
  case squaredByTruth
  /// ((d−g)/g)²
  case squaredRelative
  /// (1/d−1/g)², 1/m².
  case squaredInverse
  /// |1/d−1/g|, 1/m.
  case inverse
  /// |e|
  case logAbsolute
  /// e²
  case logSquared
  /// e minus a number near its mean, and the square of that: what the spread is computed from without cancellation.
  case logDeviation, logSquaredDeviation
  /// Whether it needs e, the dearest of all.
  var isLogarithmic: Bool { rawValue >= Self.logAbsolute.rawValue }
}

/// Limits of max(d/g, g/d), in the order of the kernel.
public enum RatioLimit: Int, Sendable, CaseIterable {
  /// 1.25^½
  case half
  /// 1.25
  case one
  /// 1.25²
  case two
  /// 1.25³
  case three
  /// 1.03
  case tight
  /// 1.05
  case close
  // "1.25^½"
  var words: String {
    switch self {
    case .half: "1.25^½"
    case .one, .two, .three: "1.25^\(rawValue)"
    case .tight: "1.03"
    case .close: "1.05"
    }
  }
}

/// A quantile of an error over the predicted pixels, linear between order statistics.
public struct ErrorQuantile: Sendable, Hashable {
  public enum Measure: Sendable, Hashable {
    /// |d−g|, metres.
    case absolute
    /// |d−g|/g
    case relative
  }
  public let measure: Measure
  /// 0…1.
  public let share: Double
}
