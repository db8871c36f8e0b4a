import FathomPlainText
import DepthEvaluation
import DepthVerdicts
import FathomStatistics

/// What the intervals and tests of a run mean and cannot show, in sentences.
enum StatisticsNotes {
  /// Under the table of methods.
  static func general(_ inference: InferenceVerdict, _ mode: AggregationMode) -> [String] {
    guard inference.scenes > 0 else { return [] }
    guard inference.scenes > 1 else {
      return [
        "Point values only, without intervals and tests: the unit is the scene, and one scene is a sample of one. "
          + "How much its frames differ says nothing about other scenes."
      ]
    }
    var notes = IntervalNotes.sentences(inference.scenes, units: "\(inference.scenes) scenes")
    notes += [
      inference.resamples > 0
        ? "Bold: the best value of a column, if its interval excludes the next. BCa intervals are in the CSV files."
        : "No value is bold, because without an interval the scenes cannot show which is best."
    ]
    if mode == .pooled {
      notes.append(
        "Pixels are pooled; scenes are still resampled. Pooled quantiles come from 4096 logarithmic bins, "
          + "0.1 mm to 100 m, and have no interval; nor has the pooled SILog.")
    }
    return notes
  }

  /// What the curves by confidence say, in the words of the first method that has them.
  static func sparsification(_ run: EvaluationRun) -> [String] {
    guard
      let curve = run.aggregation.sparsification.first(where: { $0.method == run.baseline })
        ?? run.aggregation.sparsification.first,
      let row = run.aggregation.summary.first(where: { $0.method == curve.method })
    else { return [] }
    func percent(_ share: Double?) -> String { Quantity(share, .percent(2)).text }
    return [
      "Without the least confident half of its pixels \(curve.method) has an AbsRel of \(percent(curve.byConfidence[50])) instead of "
        + "\(percent(curve.random)); without the half with the largest errors, \(percent(curve.byError[50])) "
        + "(AUSE \(percent(row.value(.ause))), AURG \(percent(row.value(.aurg)))), in \(counted(curve.frames, "frame")) of \(counted(curve.scenes, "scene")). `sparsification.csv` has every method's curves."
    ]
  }

  /// One sentence per ranked column.
  static func ranks(_ ranks: RankVerdict, _ run: EvaluationRun) -> String {
    func names(_ methods: [String]) -> String { methods.map { run.name(of: $0) }.joined(separator: ", ") }
    let best = ranks.methods.first.map { run.name(of: $0.method) } ?? "the best"
    return
      "`\(ranks.column)` over \(ranks.scenes) \(run.sceneWord)s: Friedman χ² = \(Quantity(ranks.chiSquared, .significant(3)).text), "
      + "p = \(Quantity(ranks.p, .significant(2)).text) (Iman–Davenport F = \(Quantity(ranks.imanDavenportF ?? .infinity, .significant(3)).text), "
      + "p = \(Quantity(ranks.imanDavenportP, .significant(2)).text)). Nemenyi's critical difference at 0.05 is "
      + "\(Quantity(ranks.criticalDifference, .significant(3)).text) ranks: "
      + (ranks.tiedWithBest.isEmpty
        ? "every other method ranks significantly behind \(best)."
        : "\(names(ranks.tiedWithBest)) cannot be distinguished from \(best).")
      + (ranks.leftOut.isEmpty
        ? ""
        : " Excluded, because they have no depth in any frame or are not in every scene: \(names(ranks.leftOut)).")
  }
}
