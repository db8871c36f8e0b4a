import DepthEvaluation

/// `sparsification.csv`: the curves behind AUSE and AURG.
enum SparsificationTable {
  static func table(_ run: EvaluationRun) -> DataTable {
    DataTable(
      columns: [
        "method", "space", "removed_share", "by_confidence", "by_error", "random", "scenes", "frames",
      ],
      rows: run.aggregation.sparsification.flatMap { curve in
        (0..<Sparsification.steps).map { step in
          [
            .text(curve.method), .init(curve.space), .number(MeanSparsification.removedShare(step)),
            .number(curve.byConfidence[step]), .number(curve.byError[step]), .number(curve.random),
            .integer(curve.scenes), .integer(curve.frames),
          ]
        }
      })
  }
}
