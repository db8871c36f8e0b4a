import FathomTables
import DepthEvaluation
import DepthVerdicts

/// `frames.csv`: what a method did on a frame, and every metric of what it delivered.
enum FrameTable {
  static let fileName = "frames.csv"

  /// A file that could not be used is a row of its own, with status `unreadable`.
  static func table(_ run: EvaluationRun) -> DataTable {
    let metrics = run.columns
    return DataTable(
      of: "scene × frame × method", NonMetricColumn.meanings(metrics),
      DataRows(of: run.records, count: run.records.count) { NonMetricColumn.row($0, metrics) }
        + DataRows(run.unreadable.map { NonMetricColumn.row($0, metrics) }))
  }
}
