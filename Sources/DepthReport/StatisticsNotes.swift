import PlainText
import DepthEvaluation
import Statistics

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
    var notes =
      IntervalNotes.sentences(inference.scenes, units: "\(inference.scenes) scenes") + [
        "p is that of Wilcoxon's signed-rank test on the scenes' means "
          + (inference.isExact
            ? "(exact, Pratt's zeros)" : "(normal with tie correction, Pratt's zeros)")
          + ", adjusted by Holm over the comparisons of a table's column and form. BCa intervals are in the CSV files."
      ]
    if mode == .pooled {
      notes.append(
        "Pixels are pooled; scenes are still what is resampled. Pooled quantiles come from 4096 logarithmic bins, "
          + "0.1 mm to 100 m, and have no interval, and neither has the pooled SILog.")
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
    return [
      "Leaving out the least confident half of the pixels changes \(curve.method)'s mean relative error from "
        + "\(Quantity(curve.random, .significant(3)).text) to \(Quantity(curve.byConfidence[50], .significant(3)).text); the worst half, "
        + "to \(Quantity(curve.byError[50], .significant(3)).text) (AUSE \(Quantity(row.value(.ause), .significant(3)).text), "
        + "AURG \(Quantity(row.value(.aurg), .significant(3)).text)), in \(counted(curve.frames, "frame")) of \(counted(curve.scenes, "scene")). `sparsification.csv` holds every method's curves."
    ]
  }

  /// Under a table of comparisons: who is better, who is worse, and what could not be told apart.
  static func verdict(_ verdict: ReferenceVerdict) -> [String] {
    func part(_ words: String, _ names: [String]) -> String? {
      names.isEmpty ? nil : "\(words): \(names.joined(separator: ", "))"
    }
    let parts = [
      part("significantly better than \(verdict.reference)", verdict.better),
      part("significantly worse", verdict.worse), part("no significant difference", verdict.undecided),
    ].compactMap { $0 }
    var notes = [
      "Over all frames (fallback form), at an adjusted p of \(verdict.level), \(parts.joined(separator: "; "))."
    ]
    if verdict.isUnattainable {
      notes.append(
        "With \(verdict.scenes) scenes that differ and \(verdict.comparisons) comparisons in the fallback form the "
          + "smallest attainable adjusted p is \(Quantity(verdict.smallestAttainableP, .significant(3)).text): \(verdict.level) cannot be "
          + "reached, whatever the methods do."
          + (verdict.scenes >= ConfidenceInterval.fewestScenes
            ? " The interval is what there is to go by." : ""))
    }
    return notes
  }

  /// The interval, p and what they amount to: " The 95 % interval of the difference …".
  static func evidence(_ compared: ComparisonVerdict) -> String {
    guard let low = compared.low, let high = compared.high else {
      guard compared.evidence == .range, let smallest = compared.smallest, let largest = compared.largest
      else {
        return " One scene: no interval and no test."
      }
      return
        " \(compared.scenes) scenes are too few for an interval; their differences are \(range(smallest, largest))."
    }
    let range = range(low, high)
    let interval =
      " The 95 % interval of the difference is \(range) and "
      + (compared.excludesZero == true ? "excludes zero" : "includes zero")
    let test: String
    switch compared.evidence {
    case .oneScene, .range, .interval: return interval + "."
    case .significant: test = "significant"
    case .notSignificant: test = "not significant"
    case .unattainable: test = "not significant, and with so few scenes it could not be"
    }
    return interval
      + "; p = \(Quantity(compared.p, .significant(2)).text), adjusted \(Quantity(compared.adjustedP, .significant(2)).text): "
      + test + "."
  }

  /// "[−12.1, −8.0] mm"
  private static func range(_ low: Double, _ high: Double) -> String {
    Quantity(nil, .length, low: low, high: high).interval
  }

  /// One sentence per ranked column.
  static func ranks(_ ranks: RankVerdict) -> String {
    let best = ranks.methods.first?.method ?? "the best"
    return
      "`\(ranks.column)` over \(ranks.scenes) scenes: Friedman χ² = \(Quantity(ranks.chiSquared, .significant(3)).text), "
      + "p = \(Quantity(ranks.p, .significant(2)).text) (Iman–Davenport F = \(Quantity(ranks.imanDavenportF ?? .infinity, .significant(3)).text), "
      + "p = \(Quantity(ranks.imanDavenportP, .significant(2)).text)). Nemenyi's critical difference at 0.05 is "
      + "\(Quantity(ranks.criticalDifference, .significant(3)).text) ranks: "
      + (ranks.tiedWithBest.isEmpty
        ? "every other method ranks significantly behind \(best)."
        : "not to be told from \(best): \(ranks.tiedWithBest.joined(separator: ", ")).")
      + (ranks.leftOut.isEmpty
        ? ""
        : " Left out, because they solved nothing or are not in every scene: \(ranks.leftOut.joined(separator: ", ")).")
  }
}
