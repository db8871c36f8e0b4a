import FathomTables
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthVerdicts
import FathomStatistics

/// `summary.csv`: a row for every number about a method over all scenes: its metrics with their intervals, and in the
/// columns that are compared its differences from the references.
enum SummaryTable {
  /// What a number is.
  enum Statistic: String { case mean, difference }

  struct Row: Sendable {
    let method: String, statistic: Statistic
    /// What a difference is relative to, and on which frames.
    var reference: String?
    var form: PairedComparison.Form?
    package let metric: MetricMeaning
    package var support = Support.all
    let value: Double
    var interval: ConfidenceInterval?, p: Double?, adjustedP: Double?
  }

  static func table(_ run: EvaluationRun) -> DataTable {
    DataTable(of: "method × statistic × metric", columns, rows(run))
  }

  private static let columns: [Column<Row>] =
    [
      CommonColumn.method { $0.method },
      .text(
        "statistic", "mean, or difference: the mean minus that of the reference on the frames of the form",
        \.statistic.rawValue),
      .text("reference", "method that a difference is relative to", missing: "a mean") { $0.reference },
      .text(
        "form",
        "solved: frames that both solved; fallback: all frames, the raw LiDAR stands in where a method refused",
        missing: "a mean"
      ) { $0.form?.rawValue },
      .metric { $0.metric.id }, .support { $0.support },
      .number(
        valueID,
        "over pixels, then frames, then scenes, as the protocol says; a negative difference is a gain where lower is better",
        unit: ColumnMeaning.ofMetric
      ) { $0.value },
    ] + CommonColumn.interval { $0.interval } + CommonColumn.bca { $0.interval } + [
      CommonColumn.test { $0.p != nil },
      .number(
        "p", "Wilcoxon's signed-rank test on the scenes' means, exact up to 25 scenes, Pratt's zeros",
        missing: "a mean, or fewer than two scenes"
      ) { $0.p },
      .number(
        "p_adjusted",
        "p after Holm's correction over the methods compared with the same reference in the same metric and form",
        missing: "a mean, or fewer than two scenes"
      ) { $0.adjustedP },
      .text("unit", "unit of value, low and high", missing: "a number without one") {
        $0.metric.unit.isEmpty ? nil : $0.metric.unit
      },
      .text("direction", "what is best: lower, higher or zero") { $0.metric.direction },
    ]

  private static func rows(_ run: EvaluationRun) -> [Row] {
    let coverages = CoverageOfTruth(run)
    let references = references(run)
    return run.aggregation.summary.flatMap { row -> [Row] in
      var rows: [Row] = []
      if let share = coverages.value(row.method) {
        rows.append(Row(method: row.method, statistic: .mean, metric: .coverageOfAllFrames, value: share))
      }
      for column in run.columns {
        guard let value = row.values[column.position] else { continue }
        rows.append(
          Row(
            method: row.method, statistic: .mean, metric: MetricMeaning(column.metric),
            support: column.support,
            value: value, interval: run.statistics.interval(of: row.method, column: column)))
      }
      for (reference, form) in references where reference != row.method {
        rows += run.basis.compared.compactMap { difference(of: row.method, from: reference, form, $0, run) }
      }
      return rows
    }
  }

  private static func difference(
    of method: String, from reference: String, _ form: PairedComparison.Form, _ column: MetricColumn,
    _ run: EvaluationRun
  ) -> Row? {
    run.comparison(of: method, against: reference, column: column, form: form).map {
      Row(
        method: method, statistic: .difference, reference: reference, form: form,
        metric: MetricMeaning(column.metric), support: column.support, value: $0.difference,
        interval: $0.interval, p: $0.test?.pValue, adjustedP: $0.adjustedP)
    }
  }

  /// What methods are compared with: the baseline and `spec`, each once.
  private static func references(_ run: EvaluationRun) -> [(String, PairedComparison.Form)] {
    let methods = Set(run.aggregation.summary.map(\.method))
    return [run.baseline, MethodSelection.spec.id].firstAppearances.filter(methods.contains).flatMap {
      reference in run.basis.forms.map { (reference, $0) }
    }
  }
}
