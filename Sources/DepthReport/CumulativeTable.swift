import DepthEvaluation
import Statistics

/// `cumulative.csv`: the share of the truth pixels below each limit of the error.
enum CumulativeTable {
  static func table(_ run: EvaluationRun) -> DataTable {
    DataTable(
      columns: ["method", "space", "error_m", "share", "low", "high", "scenes", "frames"],
      rows: run.statistics.cumulative.flatMap { curve in
        ErrorCounts.limits.indices.map { index in
          [
            .text(curve.method), .init(curve.space), .number(ErrorCounts.limits[index]),
            .number(curve.shares[index]), .init(curve.intervals[index]?.low),
            .init(curve.intervals[index]?.high), .integer(curve.scenes), .integer(curve.frames),
          ]
        }
      })
  }
}
