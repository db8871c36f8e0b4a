import FathomTables
import DepthEvaluation
import DepthVerdicts

/// `cumulative.csv`: the share of the truth pixels below each limit of the error.
enum CumulativeTable {
  private struct Point: Sendable { let curve: CumulativeErrors, index: Int }

  static func table(_ run: EvaluationRun) -> DataTable {
    DataTable(
      of: "method × error",
      [
        CommonColumn.method { $0.curve.method }, CommonColumn.space { $0.curve.space },
        .number("error_m", "a limit of the absolute error |d−g|", unit: "m") { ErrorCounts.limits[$0.index] },
        .number(
          "share", "share of truth pixels with a smaller error; a missing prediction is never among them",
          unit: "share"
        ) { $0.curve.shares[$0.index] },
      ] + CommonColumn.interval(unit: "share") { $0.curve.intervals[$0.index] }
        + CommonColumn.counts(scenes: { $0.curve.scenes }, frames: { $0.curve.frames }),
      run.statistics.cumulative.flatMap { curve in
        ErrorCounts.limits.indices.map { Point(curve: curve, index: $0) }
      })
  }
}
