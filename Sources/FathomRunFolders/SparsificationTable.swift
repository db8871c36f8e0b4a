import FathomTables
import DepthEvaluation
import DepthVerdicts

/// `sparsification.csv`: the curves behind AUSE and AURG.
enum SparsificationTable {
  private struct Point: Sendable { let curve: MeanSparsification, step: Int, order: String, left: Double }

  static func table(_ run: EvaluationRun) -> DataTable {
    DataTable(
      of: "method × share removed × order",
      [
        CommonColumn.method { $0.curve.method }, CommonColumn.space { $0.curve.space },
        .integer("scenes", "scenes that have a value") { $0.curve.scenes },
        .integer("frames", "frames that have a value") { $0.curve.frames },
        .number("removed_share", "share of the pixels that is removed", unit: "share") {
          MeanSparsification.removedShare($0.step)
        },
        .text(
          "order",
          "which pixels go first: by_confidence the least confident, by_error the worst, random any"
        ) { $0.order },
        .number("abs_rel_left", "mean of |d−g|/g over the pixels that are left") { $0.left },
      ],
      run.aggregation.sparsification.flatMap { curve in
        (0..<Sparsification.steps).flatMap { step in
          [
            Point(curve: curve, step: step, order: "by_confidence", left: curve.byConfidence[step]),
            Point(curve: curve, step: step, order: "by_error", left: curve.byError[step]),
            Point(curve: curve, step: step, order: "random", left: curve.random),
          ]
        }
      })
  }
}
