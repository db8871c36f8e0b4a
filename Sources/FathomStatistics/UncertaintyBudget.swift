/// Uncertainty of a result by its causes (JCGM 100:2008, the GUM): y = f(x₁ … xₙ), inputs that are not correlated.
///
/// Correlated inputs enter as one component that holds their joint contribution.
public struct UncertaintyBudget: Sendable, Hashable, Codable {
  /// How the values of an input are distributed, which says where its standard uncertainty is from.
  public enum Distribution: String, Sendable, Hashable, Codable {
    case normal
    /// Equal probability between two limits: a resolution.
    case uniform
    /// Estimated from few observations.
    case student
  }

  /// One input.
  public struct Component: Sendable, Hashable, Codable {
    public var name: String
    /// u(x), in the unit of the input.
    public var standardUncertainty: Double
    public var distribution: Distribution
    /// |∂y/∂x|, unit of the result per unit of the input.
    public var sensitivity: Double
    /// Degrees of freedom of u(x); nil where it is known exactly.
    public var freedom: Double?

    public init(
      _ name: String, _ standardUncertainty: Double, _ distribution: Distribution, sensitivity: Double = 1,
      freedom: Double? = nil
    ) {
      (self.name, self.standardUncertainty, self.distribution) = (name, standardUncertainty, distribution)
      (self.sensitivity, self.freedom) = (abs(sensitivity), freedom)
    }

    /// |∂y/∂x|·u(x), in the unit of the result.
    public var contribution: Double { sensitivity * standardUncertainty }
  }

  /// What is printed where nothing else is asked for.
  public static let usualCoverage = 0.95
  public var components: [Component]
  /// Probability that the expanded uncertainty stands for.
  public var coverage: Double

  public init(_ components: [Component], coverage: Double = usualCoverage) {
    (self.components, self.coverage) = (components, coverage)
  }

  /// u(y): root of the sum of squared contributions.
  public var combined: Double { components.reduce(0) { $0 + $1.contribution * $1.contribution }.squareRoot() }

  /// Effective degrees of freedom by the Welch–Satterthwaite formula (GUM G.2b); nil for infinitely many.
  public var freedom: Double? {
    let sum = components.reduce(0) { sum, component in
      let square = component.contribution * component.contribution
      return component.freedom.map { sum + square * square / $0 } ?? sum
    }
    let variance = combined * combined
    return sum > 0 ? variance * variance / sum : nil
  }

  /// k: the Student or normal quantile of the coverage.
  public var coverageFactor: Double {
    freedom.map { StudentDistribution.criticalValue(1 - coverage, freedom: $0) }
      ?? NormalDistribution.quantile(0.5 + coverage / 2)
  }

  /// U = k·u(y).
  public var expanded: Double { coverageFactor * combined }

  /// Share of a component in u²(y).
  public func share(of component: Component) -> Double {
    let variance = combined * combined
    return variance > 0 ? component.contribution * component.contribution / variance : 0
  }
}
