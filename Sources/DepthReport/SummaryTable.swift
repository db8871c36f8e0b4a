import DepthEvaluation
import DepthFusion
import Statistics

/// `summary.csv`: one row per method; every metric with its interval, the measured ones held against the baseline and
/// against `spec`, and the coverage that counts a refused frame as none.
enum SummaryTable {
  /// What a method is held against, and how its columns are called: `X` + infix + `_difference`, `_p`, ….
  struct Reference: Sendable {
    let method: String
    let form: PairedComparison.Form
    let infix: String
  }

  static let intervalSuffixes = ["_low", "_high", "_percentile_low", "_percentile_high"]

  static func table(_ run: EvaluationRun) -> DataTable {
    let references = references(run)
    let isPooled = run.plan.rules.aggregation == .pooled
    let coverages = CoverageOfTruth(run)
    var columns = ["method", "space", "scenes", "frames", "frames_solved", "coverage_all_frames"]
    for column in MetricColumn.all {
      columns += [column.id] + intervalSuffixes.map { column.id + $0 }
      guard column.support == .measured else { continue }
      for reference in references { columns += heads(column.id + reference.infix) }
    }
    if isPooled { columns.append("aggregation") }
    let rows = run.aggregation.summary.map { row in
      var cells: [DataTable.Cell] = [
        .text(row.method), .init(row.space), .integer(row.scenes), .integer(row.frames),
        .integer(row.framesSolved), .init(coverages.value(row.method)),
      ]
      for (index, column) in MetricColumn.all.enumerated() {
        cells.append(.init(row.values[index]))
        cells += Self.cells(run.statistics.interval(of: row.method, column: column))
        guard column.support == .measured else { continue }
        for reference in references { cells += comparison(of: row.method, column, reference, run) }
      }
      if isPooled { cells.append(.text(run.plan.rules.aggregation.summary)) }
      return cells
    }
    return DataTable(columns: columns, rows: rows)
  }

  static func cells(_ interval: ConfidenceInterval?) -> [DataTable.Cell] {
    [
      .init(interval?.low), .init(interval?.high), .init(interval?.percentileLow),
      .init(interval?.percentileHigh),
    ]
  }

  private static func heads(_ stem: String) -> [String] {
    [stem + "_difference"] + intervalSuffixes.map { stem + "_difference" + $0 }
      + [stem + "_p", stem + "_p_adjusted"]
  }

  private static func comparison(
    of method: String, _ column: MetricColumn, _ reference: Reference, _ run: EvaluationRun
  ) -> [DataTable.Cell] {
    let comparison =
      method == reference.method
      ? nil : run.comparison(of: method, against: reference.method, column: column, form: reference.form)
    return [.init(comparison?.difference)] + cells(comparison?.interval)
      + [.init(comparison?.test?.pValue), .init(comparison?.adjustedP)]
  }

  private static func references(_ run: EvaluationRun) -> [Reference] {
    let methods = Set(run.aggregation.summary.map(\.method))
    return [
      Reference(method: run.baseline, form: .solvedFrames, infix: ""),
      Reference(method: run.baseline, form: .fallback, infix: "_fallback"),
      Reference(method: MethodSelection.spec.id, form: .solvedFrames, infix: "_spec"),
      Reference(method: MethodSelection.spec.id, form: .fallback, infix: "_spec_fallback"),
    ].filter { methods.contains($0.method) }
  }
}
