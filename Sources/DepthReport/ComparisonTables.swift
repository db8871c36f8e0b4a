import DepthEvaluation
import Statistics

/// Files that hold methods against each other.
enum ComparisonTables {
  /// `pairwise.csv`: every pair of methods in the headline columns, on the frames that both solved and in the fallback
  /// form. `difference` is a − b; `p_adjusted` is Holm's over all pairs of the same column and form.
  static func pairwise(_ run: EvaluationRun) -> DataTable {
    let coverage = Dictionary(
      uniqueKeysWithValues: run.aggregation.summary.map { ($0.method, $0.value(.coverage)) })
    return DataTable(
      columns: [
        "method_a", "method_b", "column", "form", "scenes", "frames", "value_a", "value_b", "difference",
        "low",
        "high", "percentile_low", "percentile_high", "p", "p_adjusted", "coverage_a", "coverage_b",
      ],
      rows: run.statistics.pairs.map { pair in
        let comparison = pair.comparison
        let names: [DataTable.Cell] = [
          .text(pair.first), .text(pair.second), .text(pair.column.id), .text(pair.form.rawValue),
        ]
        return names
          + [
            .integer(comparison?.scenes ?? 0), .integer(comparison?.frames ?? 0), .init(comparison?.value),
            .init(comparison?.referenceValue), .init(comparison?.difference),
          ] + SummaryTable.cells(comparison?.interval)
          + [
            .init(comparison?.test?.pValue), .init(comparison?.adjustedP),
            .init(coverage[pair.first] ?? nil), .init(coverage[pair.second] ?? nil),
          ]
      })
  }

  /// `ranks.csv`: mean ranks over scenes and the tests about them; only with five scenes or more.
  static func ranks(_ run: EvaluationRun) -> DataTable {
    DataTable(
      columns: [
        "column", "form", "method", "mean_rank", "nemenyi_p_best", "critical_difference", "scenes", "methods",
        "friedman_chi2", "friedman_p", "iman_davenport_f", "iman_davenport_p",
      ],
      rows: run.statistics.rankings.flatMap { ranking -> [[DataTable.Cell]] in
        let test = ranking.test
        return ranking.ordered.map { row -> [DataTable.Cell] in
          [
            .text(ranking.column.id), .text(PairedComparison.Form.fallback.rawValue), .text(row.method),
            .number(row.meanRank), .number(row.pAgainstBest), .number(ranking.criticalDifference),
            .integer(test.scenes), .integer(ranking.methods.count), .number(test.chiSquared),
            .number(test.pValue), .number(test.imanDavenportF), .number(test.imanDavenportP),
          ]
        }
      })
  }
}
