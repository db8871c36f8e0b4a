import DepthEvaluation
import DepthVerdicts

/// The methods that a table of metrics has rows for, and what is the same of all of them, which then needs no column.
struct MethodRows {
  let rows: [Aggregation.SummaryRow]  // Those with a value.
  let solvedEverything: Bool  // Whether each gave depth in every frame that can be scored.
  /// Whether each covers every truth pixel of its frames, to the digits that tables show.
  let coversEverything: Bool
  private let aggregation: Aggregation
  private static let whole = 0.99995  // A coverage above this is printed as 100.00 %.

  init(_ run: EvaluationRun, _ metrics: [Metric]) {
    let columns = metrics.filter { $0 != .coverage }.map { MetricColumn($0) }
    let rows = run.aggregation.summary.filter { row in columns.contains { row.value($0) != nil } }
    (self.rows, aggregation) = (rows, run.aggregation)
    // Of frames that nothing is scored in, solved says nothing.
    let isScored = rows.contains { $0.framesSolved > 0 }
    solvedEverything =
      !isScored
      || rows.allSatisfy {
        $0.framesSolved == $0.frames - run.aggregation.framesWithoutTruth(of: $0.method)
      }
    coversEverything = isScored && rows.allSatisfy { ($0.value(.coverage) ?? 0) > Self.whole }
  }

  /// "47/48": frames with depth, of those that can be scored.
  func solved(_ row: Aggregation.SummaryRow) -> String {
    "\(row.framesSolved)/\(row.frames - aggregation.framesWithoutTruth(of: row.method))"
  }

  /// What is said in the place of the columns that are omitted; empty where none is.
  var sentence: String {
    guard rows.contains(where: { $0.framesSolved > 0 }) else { return "" }
    switch (solvedEverything, coversEverything) {
    case (true, true): return " Every method here gave depth in every frame, for every truth pixel."
    case (true, false): return " Every method here gave depth in every frame."
    case (false, true): return " Every method here covers every truth pixel of its frames."
    case (false, false): return ""
    }
  }
}
