/// What the uncertainty of a result is made of, in the manner of the GUM.
///
/// - SeeAlso: JCGM 100:2008, "Guide to the expression of uncertainty in measurement", 5.1.2, 6.2 and G.4.
public struct UncertaintyBudget: Sendable, Equatable {
  public enum Distribution: String, Sendable {
    case normal, student = "Student’s t", uniform
  }

  /// A source of uncertainty.
  public struct Component: Sendable, Equatable {
    public let name: String
    public let distribution: Distribution
    /// Of the source, in its own unit.
    public let standardUncertainty: Double
    /// By how much the result changes with the source.
    public let sensitivity: Double
    /// Infinite where the standard uncertainty is taken as known.
    public let freedom: Double

    public init(
      _ name: String, _ distribution: Distribution, standardUncertainty: Double, sensitivity: Double = 1,
      freedom: Double = .infinity
    ) {
      (self.name, self.distribution) = (name, distribution)
      (self.standardUncertainty, self.sensitivity) = (standardUncertainty, sensitivity)
      self.freedom = freedom
    }

    /// Of the result, in its unit.
    public var contribution: Double { abs(sensitivity) * standardUncertainty }
  }

  public let components: [Component]
  /// Probability that the expanded uncertainty is for.
  public static let coverage = 0.95

  public init(_ components: [Component]) { self.components = components }

  /// Combined standard uncertainty: the components are independent of each other.
  public var combined: Double {
    components.reduce(0) { $0 + $1.contribution * $1.contribution }.squareRoot()
  }

  /// Effective degrees of freedom, after Welch and Satterthwaite; infinite where every component's are.
  public var freedom: Double {
    let parts = components.filter { $0.contribution > 0 && $0.freedom.isFinite }
      .map { component in
        let square = component.contribution * component.contribution
        return square * square / component.freedom
      }
    let square = combined * combined
    return parts.isEmpty ? .infinity : square * square / parts.reduce(0, +)
  }

  /// k: what the combined standard uncertainty is multiplied by.
  public var coverageFactor: Double {
    freedom.isFinite
      ? StudentDistribution.criticalValue(1 - Self.coverage, freedom: freedom)
      : NormalDistribution.quantile((1 + Self.coverage) / 2)
  }

  /// U: the result ± U holds the true value in ``coverage`` of cases.
  public var expanded: Double { coverageFactor * combined }

  /// A component's share of the combined variance, 0…1.
  public func share(of component: Component) -> Double {
    combined > 0 ? (component.contribution / combined) * (component.contribution / combined) : 0
  }
}
