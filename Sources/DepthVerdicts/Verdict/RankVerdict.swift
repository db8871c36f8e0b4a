import DepthEvaluation
import FathomStatistics

/// Whether the methods' ranks within the scenes differ, and which cannot be distinguished from the best.
/// - SeeAlso: Demšar 2006, "Statistical comparisons of classifiers over multiple data sets".
public struct RankVerdict: Codable, Sendable, Equatable {
  /// A method and its mean rank; 1 is the lowest error.
  public struct Entry: Codable, Sendable, Equatable { public let method: String, meanRank: Double }
  /// Column of the tables.
  public let column: String
  public let scenes: Int
  /// Friedman's test, and Iman and Davenport's form of it; nil where the ranks agree so well that it is not finite.
  public let chiSquared: Double, p: Double, imanDavenportF: Double?, imanDavenportP: Double
  /// Mean ranks further apart differ at a level of 0.05 (Nemenyi).
  public let criticalDifference: Double
  /// From the best on.
  public let methods: [Entry]
  /// Methods that cannot be distinguished from the best.
  public let tiedWithBest: [String]
  /// Methods that solved nothing, or are not in every scene.
  public let leftOut: [String]

  init(_ ranking: MethodRanking) {
    let test = ranking.test
    column = ranking.column.id
    scenes = test.scenes
    (chiSquared, p) = (test.chiSquared, test.pValue)
    imanDavenportF = test.imanDavenportF.isFinite ? test.imanDavenportF : nil
    imanDavenportP = test.imanDavenportP
    criticalDifference = ranking.criticalDifference
    methods = ranking.ordered.map { Entry(method: $0.method, meanRank: $0.meanRank) }
    let reach = (ranking.ordered.first?.meanRank ?? 0) + ranking.criticalDifference
    tiedWithBest = ranking.ordered.dropFirst().filter { $0.meanRank <= reach }.map(\.method)
    leftOut = ranking.leftOut
  }
}
