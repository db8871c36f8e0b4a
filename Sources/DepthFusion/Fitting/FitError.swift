import FathomLinearAlgebra

/// Why an estimator gives no line.
public enum FitError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Fewer observations than a line needs, or than the options ask for.
  case tooFewPairs(found: Int, needed: Int)
  /// The regressors do not determine a slope.
  case degenerate(DesignDiagnostics)
  /// LAPACK refused.
  case numerical(String, DesignDiagnostics)

  public var description: String {
    switch self {
    case .tooFewPairs(let found, let needed): "\(found) pairs, at least \(needed) needed"
    case .degenerate(let design) where design.spread.isFinite && design.spread >= 1e-6:
      "the pairs do not determine a line in Double: rank \(design.rank), condition \(design.condition)"
    case .degenerate(let design): "relative values do not vary enough: relative spread \(design.spread)"
    case .numerical(let message, _): message
    }
  }
}
