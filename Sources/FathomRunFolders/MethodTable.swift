import FathomTables
import DepthEvaluation
import DepthFusion
import DepthVerdicts

/// `methods.csv`: the methods of a run, and on how much they could be judged.
enum MethodTable {
  static func table(_ run: EvaluationRun) -> DataTable {
    let minConfidence = run.minConfidence
    let (baseline, aggregation) = (run.baseline, run.plan.rules.aggregation.summary)
    return DataTable(
      of: "method",
      [
        CommonColumn.method { $0.method },
        .text("title", "the method in words", missing: "not a method of fathom's own") {
          MethodCatalogue.family(ofID: $0.method)?.title
        },
        .text(
          "role", "baseline, which all others are compared with; oracle, which looks at the truth; method"
        ) { row in
          row.method == baseline
            ? "baseline" : MethodCatalogue.family(ofID: row.method)?.role == .oracle ? "oracle" : "method"
        },
        CommonColumn.space { $0.space },
        .integer("scenes", "scenes that have a value") { $0.scenes },
        .integer("frames", "frames that the method was asked for") { $0.frames },
        .integer("frames_solved", "frames on which it delivered a map that could be scored", \.framesSolved),
        .integer(
          "min_confidence", "lowest LiDAR confidence of a pair that is fitted",
          missing: "the method has no such limit"
        ) { minConfidence[$0.method].map(Int.init) },
        .text("aggregation", "how pixels are averaged") { _ in aggregation },
      ], run.aggregation.summary)
  }
}
