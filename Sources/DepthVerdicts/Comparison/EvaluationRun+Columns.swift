public import DepthEvaluation

extension EvaluationRun {
  /// Columns of its tables; the values of a row stand by `MetricColumn.all`. Of `MetricColumn.extended` those that have a value:
  /// some need a camera.
  public var columns: [MetricColumn] {
    guard !basis.hasLidar else { return basis.columns }
    return basis.columns
      + MetricColumn.extended.filter { column in
        aggregation.summary.contains { $0.framesWithValue[column.position] > 0 }
      }
  }
}
