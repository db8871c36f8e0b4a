import DepthEvaluation
import Statistics

/// What the intervals and tests of a run mean and cannot show, in sentences.
enum StatisticsNotes {
  /// Under the table of methods.
  static func general(_ run: EvaluationRun) -> [String] {
    let scenes = scoredScenes(run)
    guard scenes > 0 else { return [] }
    guard scenes > 1 else {
      return [
        "Point values only, without intervals and tests: the unit is the scene, and one scene is a sample of one. "
          + "How much its frames differ says nothing about other scenes."
      ]
    }
    var notes = [
      "Brackets are 95 % intervals over \(scenes) scenes: BCa from \(RunStatistics.resamples) resamples of scenes; "
        + "p is that of Wilcoxon's signed-rank test on the scenes' means "
        + (scenes <= SignedRank.exactLimit
          ? "(exact, Pratt's zeros)" : "(normal with tie correction, Pratt's zeros)")
        + ", adjusted by Holm over the comparisons of a table's column and form. Plain percentile intervals are in "
        + "the CSV files."
    ]
    if scenes < RunStatistics.fewScenes {
      notes.append(
        "With fewer than \(RunStatistics.fewScenes) scenes such intervals are too narrow: nominal 95 % percentile "
          + "intervals cover 0.80 / 0.86 / 0.90 / 0.91 at 4 / 6 / 8 / 12 scenes.")
    }
    if run.plan.rules.aggregation == .pooled {
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
        + "\(Rounded.number(curve.random, digits: 3)) to \(Rounded.number(curve.byConfidence[50], digits: 3)); the worst half, "
        + "to \(Rounded.number(curve.byError[50], digits: 3)) (AUSE \(Rounded.number(row.value(.ause), digits: 3)), "
        + "AURG \(Rounded.number(row.value(.aurg), digits: 3))), in \(Rounded.count(curve.frames, "frame")) of \(Rounded.count(curve.scenes, "scene")). `sparsification.csv` holds every method's curves."
    ]
  }

  /// Under a table of comparisons: who is better, who is worse, and what could not be told apart.
  static func verdict(_ run: EvaluationRun, against reference: String) -> [String] {
    let comparisons = run.aggregation.summary.map(\.method).filter { $0 != reference }.compactMap {
      run.comparison(of: $0, against: reference, column: Findings.headline, form: .fallback)
    }
    let tested = comparisons.filter { $0.adjustedP != nil }
    guard !tested.isEmpty else { return [] }
    let significant = tested.filter { $0.isSignificant == true }
    func names(_ list: [PairedComparison]) -> String { list.map(\.method).joined(separator: ", ") }
    var parts: [String] = []
    let better = significant.filter { $0.difference < 0 }
    let worse = significant.filter { $0.difference > 0 }
    let open = tested.filter { $0.isSignificant == false }
    if !better.isEmpty { parts.append("significantly better than \(reference): \(names(better))") }
    if !worse.isEmpty { parts.append("significantly worse: \(names(worse))") }
    if !open.isEmpty { parts.append("no significant difference: \(names(open))") }
    var notes = [
      "Over all frames (fallback form), at an adjusted p of \(PairedComparison.level), \(parts.joined(separator: "; "))."
    ]
    let attainable = tested.compactMap(\.smallestAttainableP).min() ?? 1
    if attainable >= PairedComparison.level, let family = tested.first?.familySize {
      notes.append(
        "With \(tested.map { $0.test?.nonZeroCount ?? 0 }.max() ?? 0) scenes that differ and \(family) comparisons in the fallback form the "
          + "smallest attainable adjusted p is \(Rounded.number(attainable, digits: 3)): \(PairedComparison.level) cannot be "
          + "reached, whatever the methods do. The interval is what there is to go by.")
    }
    return notes
  }

  /// The interval, p and what they amount to: " The 95 % interval of the difference …".
  static func evidence(_ comparison: PairedComparison) -> String {
    guard let interval = comparison.interval else {
      return " One scene: no interval and no test."
    }
    guard comparison.scenes >= fewestForInterval else {
      return " With \(comparison.scenes) scenes there is hardly more than their range: \(range(interval))."
    }
    var text =
      " The 95 % interval of the difference is \(range(interval)) and "
      + (interval.excludesZero ? "excludes zero" : "includes zero")
    if let p = comparison.test?.pValue, let adjusted = comparison.adjustedP,
      let smallest = comparison.smallestAttainableP
    {
      text += "; p = \(Rounded.number(p, digits: 2)), adjusted \(Rounded.number(adjusted, digits: 2)): "
      text +=
        adjusted < PairedComparison.level
        ? "significant"
        : smallest >= PairedComparison.level
          ? "not significant, and with so few scenes it could not be" : "not significant"
    }
    return text + "."
  }

  /// Below this an interval over scenes is little more than the smallest and the largest.
  static let fewestForInterval = 4

  /// "−12.1 … −8.0 mm"
  static func range(_ interval: ConfidenceInterval) -> String {
    "\(Rounded.length(interval.low)) … \(Rounded.length(interval.high))"
  }

  /// One sentence per ranked column.
  static func ranks(_ ranking: MethodRanking) -> String {
    let test = ranking.test
    let distance = ranking.criticalDifference
    let ordered = ranking.ordered
    let reach = (ordered.first?.meanRank ?? 0) + distance
    let close = ordered.dropFirst().filter { $0.meanRank <= reach }.map(\.method)
    return
      "`\(ranking.column)` over \(test.scenes) scenes: Friedman χ² = \(Rounded.number(test.chiSquared, digits: 3)), "
      + "p = \(Rounded.number(test.pValue, digits: 2)) (Iman–Davenport F = \(Rounded.number(test.imanDavenportF, digits: 3)), "
      + "p = \(Rounded.number(test.imanDavenportP, digits: 2))). Nemenyi's critical difference at 0.05 is "
      + "\(Rounded.number(distance, digits: 3)) ranks: "
      + (close.isEmpty
        ? "every other method ranks significantly behind \(ordered.first?.method ?? "the best")."
        : "not to be told from \(ordered.first?.method ?? "the best"): \(close.joined(separator: ", ")).")
      + (ranking.leftOut.isEmpty
        ? ""
        : " Left out, because they solved nothing or are not in every scene: \(ranking.leftOut.joined(separator: ", ")).")
  }

  private static func scoredScenes(_ run: EvaluationRun) -> Int {
    Set(run.aggregation.scenes.filter { $0.value(Findings.headline) != nil }.map(\.scene)).count
  }
}
