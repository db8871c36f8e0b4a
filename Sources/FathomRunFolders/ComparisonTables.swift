import FathomTables
import DepthEvaluation
import DepthVerdicts
import FathomStatistics

/// Files that compare methods with each other.
enum ComparisonTables {
  private static let form =
    "solved: frames that both solved; fallback: all frames, the raw LiDAR stands in where a method refused"

  /// `pairwise.csv`: every pair of methods in the headline metrics, on the frames that both solved and in the fallback
  /// form. `difference` is a − b; `p_adjusted` is Holm's over all pairs of the same metric and form.
  static func pairwise(_ run: EvaluationRun) -> DataTable {
    let coverage = Dictionary(
      uniqueKeysWithValues: run.aggregation.summary.map { ($0.method, $0.value(.coverage)) })
    let ofMetric = ColumnMeaning.ofMetric
    let (noFrame, fewScenes) = ("no frame has both", "fewer than two scenes")
    let columns: [Column<RunStatistics.Pair>] =
      [
        .text("method_a", "the one") { $0.first }, .text("method_b", "the other") { $0.second },
        .metric { $0.column.metric.id }, .support { $0.column.support },
        .text("form", form) { $0.form.rawValue },
        .integer("scenes", "scenes with a frame that counts") { $0.comparison?.scenes ?? 0 },
        .integer("frames", "frames that count in the form") { $0.comparison?.frames ?? 0 },
        .number("value_a", "mean of method_a on them", unit: ofMetric, missing: noFrame, \.comparison?.value),
        .number(
          "value_b", "mean of method_b on them", unit: ofMetric, missing: noFrame,
          \.comparison?.referenceValue),
        .number(
          "difference", "value_a − value_b", unit: ofMetric, missing: noFrame, \.comparison?.difference),
      ] + CommonColumn.interval { $0.comparison?.interval } + CommonColumn.bca { $0.comparison?.interval } + [
        CommonColumn.test { $0.comparison?.test != nil },
        .number(
          "p", "Wilcoxon's signed-rank test on the scenes' means, exact up to 25 scenes, Pratt's zeros",
          missing: fewScenes
        ) { $0.comparison?.test?.pValue },
        .number(
          "p_adjusted", "p after Holm's correction over all pairs of the same metric and form",
          missing: fewScenes
        ) { $0.comparison?.adjustedP },
        .number("coverage_a", "coverage of method_a", unit: "share", missing: "it solved nothing") {
          coverage[$0.first] ?? nil
        },
        .number("coverage_b", "coverage of method_b", unit: "share", missing: "it solved nothing") {
          coverage[$0.second] ?? nil
        },
      ]
    return DataTable(of: "pair of methods × metric × form", columns, run.statistics.pairs)
  }

  private struct Rank: Sendable {
    let ranking: MethodRanking, method: String, mean: Double, pAgainstBest: Double
  }

  /// `ranks.csv`: mean ranks over scenes and the tests about them; only with five scenes or more.
  static func ranks(_ run: EvaluationRun) -> DataTable {
    let ranked = run.basis.widestForm.rawValue
    return DataTable(
      of: "metric × form × method",
      [
        .metric { $0.ranking.column.metric.id }, .support { $0.ranking.column.support },
        .text("form", form) { _ in ranked },
        CommonColumn.method { $0.method },
        .number("mean_rank", "mean over scenes of the method's rank, 1 is best") { $0.mean },
        .number("nemenyi_p_best", "Nemenyi's p that it ranks like the best one") { $0.pAgainstBest },
        .number(
          "critical_difference", "ranks that two methods must lie apart at 0.05 (Nemenyi)",
          \.ranking.criticalDifference),
        .integer("scenes", "scenes that are ranked") { $0.ranking.test.scenes },
        .integer("methods", "methods that are ranked") { $0.ranking.methods.count },
        .number("friedman_chi2", "Friedman's χ² that all rank alike") { $0.ranking.test.chiSquared },
        .number("friedman_p", "its p") { $0.ranking.test.pValue },
        .number(
          "iman_davenport_f", "Iman and Davenport's F, the same less conservative",
          \.ranking.test.imanDavenportF),
        .number("iman_davenport_p", "its p") { $0.ranking.test.imanDavenportP },
      ],
      run.statistics.rankings.flatMap { ranking in
        ranking.ordered.map {
          Rank(ranking: ranking, method: $0.method, mean: $0.meanRank, pAgainstBest: $0.pAgainstBest)
        }
      })
  }
}
