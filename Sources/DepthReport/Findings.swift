import DepthCore
public import DepthEvaluation
import DepthFusion

/// What a run shows, in sentences: the first thing that a reader sees.
public struct Findings: Sendable {
  /// Said before everything else: what these data cannot show. nil where they can.
  public let caveat: String?
  /// One sentence or two each, most important first.
  public let sentences: [String]

  /// The column that methods are ranked and compared by: the L1 error of the pixels that the LiDAR measures.
  static let headline = MetricColumn.maeMeasured

  public init(_ run: EvaluationRun) {
    caveat = Self.caveat(run)
    sentences =
      [
        Self.simulation(run), Self.kind(run), Self.specificationStatus(run), Self.bestMethod(run),
        Self.publishedApp(run), Self.gainOverSpecification(run), Self.floatPrecision(run),
        Self.filledPixels(run), Self.confidence(run), Self.objects(run),
        Self.missing(run),
      ].flatMap { $0 }
  }

  /// What kind of numbers these are.
  private static func simulation(_ run: EvaluationRun) -> [String] {
    let scored = run.scenes.filter { $0.header.truthSize != nil }
    let rendered = scored.filter { $0.header.truthIndependence == .render }
    guard !rendered.isEmpty else { return [] }
    let whose =
      rendered.count == scored.count ? "" : " of \(rendered.count) of \(Rounded.count(scored.count, "scene"))"
    return ["The truth\(whose) is rendered: these are **simulated data**, not measurements of a device."]
  }

  /// How the published app fares, where it ran.
  private static func publishedApp(_ run: EvaluationRun) -> [String] {
    guard run.plan.methods.contains(.shipped), run.solvedFrames(of: .shipped) > 0 else { return [] }
    return [gain(of: .shipped, against: run.baseline, run)]
  }

  private static func caveat(_ run: EvaluationRun) -> String? {
    let parts = [oracleProtocol(run), dataCaveat(run)].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  private static func oracleProtocol(_ run: EvaluationRun) -> String? {
    guard run.plan.rules.isOracle else { return nil }
    return
      "Oracle protocol (\(run.plan.rules.title)): every prediction, the raw LiDAR's too, was fitted to the truth "
      + "of its frame before it was scored. No app has the truth, so these numbers cannot be held against an app's."
  }

  private static func dataCaveat(_ run: EvaluationRun) -> String? {
    guard !run.scenes.isEmpty else { return "No file could be read: there is nothing to report." }
    let scored = run.scenes.filter { $0.header.truthSize != nil }
    let dependent = scored.filter { !$0.header.truthIndependence.canShowGainOverSensor }
    guard !scored.isEmpty else { return "No scene has truth: nothing can be scored." }
    guard !dependent.isEmpty else { return nil }
    let kinds = dependent.map(\.header.truthIndependence.rawValue).firstAppearances.joined(separator: ", ")
    let whose =
      dependent.count == scored.count
      ? "The truth" : "The truth of \(dependent.count) of \(scored.count) scenes"
    return
      "\(whose) is not independent of the LiDAR (\(kinds)): these data cannot show a gain over the raw LiDAR "
      + "there, only a loss."
  }

  // MARK: Which method

  private static func bestMethod(_ run: EvaluationRun) -> [String] {
    guard let best = run.bestMethod else { return [] }
    let (entry, comparison) = (best.entry, best.entry.comparison)
    var text =
      "Best method on the pixels that the LiDAR measures: **\(entry.selection.description.literal)**, "
      + "MAE \(Rounded.length(comparison.value)) "
      + "over \(Rounded.count(comparison.frames, "frame")) of \(Rounded.count(comparison.scenes, "scene"))"
    let refused = comparison.frames - entry.solvedFrames
    if refused > 0 { text += " (in \(Rounded.count(refused, "frame")) the raw LiDAR stands in)" }
    text += "."
    if !best.unranked.isEmpty {
      let names = best.unranked.map { entry in
        "\(entry.selection.description.literal) (\(Rounded.count(entry.comparison.scenes, "scene")), coverage "
          + "\(Rounded.percent(entry.coverage)))"
      }
      text += " Not ranked, because of fewer scenes or pixels: \(names.joined(separator: ", "))."
    }
    guard best.isBaseline else {
      return [text, gain(of: entry.selection, against: run.baseline, run)]
    }
    text += " No other method beats the baseline."
    return [text] + (best.fitted.map { [gain(of: $0.selection, against: run.baseline, run)] } ?? [])
  }

  private static func gain(
    of selection: MethodSelection, against reference: String, _ run: EvaluationRun
  ) -> String {
    let (method, baseline) = (selection.description.literal, reference.literal)
    let solved = run.comparison(of: selection, against: reference, column: headline, form: .solvedFrames)
    let all = run.comparison(of: selection, against: reference, column: headline, form: .fallback)
    // Where nothing was refused both are one, and its adjusted p is that of all methods.
    guard let comparison = solved?.frames == all?.frames ? all : solved, let gain = comparison.relativeGain
    else { return "\(method) and \(baseline) share no scored frame." }
    guard abs(gain) >= BestMethod.noGain else {
      return
        "On measured pixels \(method) and \(baseline) have the same MAE, \(Rounded.length(comparison.value)) "
        + "(\(Rounded.count(comparison.frames, "frame")), \(Rounded.count(comparison.scenes, "scene")))."
    }
    let coverage = run.coverage(of: run.ids(of: selection)) ?? 0
    return "Against \(baseline), the MAE of \(method) on measured pixels is \(Rounded.percent(abs(gain))) "
      + "\(gain >= 0 ? "lower" : "higher") (\(Rounded.length(comparison.value)) instead of "
      + "\(Rounded.length(comparison.referenceValue)); \(Rounded.count(comparison.frames, "frame")), "
      + "\(Rounded.count(comparison.scenes, "scene")), coverage \(Rounded.percent(coverage)))."
      + StatisticsNotes.evidence(comparison)
  }

  // MARK: The relative map and what it does to the specification

  private static func kind(_ run: EvaluationRun) -> [String] {
    let scenes = run.scenes.filter { $0.header.relativeSize != nil }
    var sentences: [String] = []
    for kind in [RelativeKind.disparity, .depth] {
      let declared = scenes.filter { $0.header.relativeKind == kind }
      let found = scenes.filter { $0.header.relativeKind == .unknown && $0.relativeKind == kind }
      guard !declared.isEmpty || !found.isEmpty else { continue }
      let larger = kind == .disparity ? "larger is nearer" : "larger is farther"
      var parts: [String] = []
      if !declared.isEmpty { parts.append("declared in \(Rounded.count(declared.count, "scene"))") }
      if !found.isEmpty {
        let correlations = found.compactMap(\.kindCorrelation)
        parts.append(
          "found by rank correlation in \(Rounded.count(found.count, "scene")) (\(Self.listed(correlations: correlations)))"
        )
      }
      sentences.append(
        "The relative map is **\(kind.rawValue)** (\(larger)), \(parts.joined(separator: ", ")).")
    }
    let undecided = scenes.filter { $0.relativeKind == .unknown }
    if !undecided.isEmpty {
      sentences.append(
        "The kind of the relative map is undeclared and undecided (|ρ| < \(RelativeKindEstimator.undecidedBelow)) in "
          + "\(PageLimits.listed(undecided.map(\.name.literal))): fitted there as disparity.")
    }
    return sentences
  }

  /// "ρ = 0.97, ρ = 0.98", or the ends of a long list.
  private static func listed(correlations: [Double]) -> String {
    func text(_ value: Double) -> String { "ρ = \(Rounded.fixed(value, decimals: 2))" }
    guard correlations.count > PageLimits.names, let least = correlations.min(), let most = correlations.max()
    else { return correlations.map(text).joined(separator: ", ") }
    return "\(text(least)) to \(Rounded.fixed(most, decimals: 2))"
  }

  private static func specificationStatus(_ run: EvaluationRun) -> [String] {
    let kinds = Dictionary(
      run.scenes.map { ($0.name, $0.relativeKind) }, uniquingKeysWith: { first, _ in first })
    var all: [(kind: RelativeKind?, status: FusionStatus, scale: Double, scaleInDouble: Double?)] = []
    for record in run.records {
      let fusion = record.fusion
      guard record.method == MethodSelection.spec.id, fusion.status != .noRelative else { continue }
      all.append((kinds[record.scene], fusion.status, fusion.line?.scale ?? 0, fusion.scaleInDouble))
    }
    var sentences: [String] = []
    for kind in [RelativeKind.disparity, .depth, .unknown] {
      let records = all.filter { $0.kind == kind }
      let negative = records.filter { $0.status == .rejectedScale && $0.scale < 0 }
      let tally = "\(negative.count) of \(Rounded.count(records.count, "frame"))"
      let byRounding = negative.count { ($0.scaleInDouble ?? 0) > 0 }
      if !negative.isEmpty && kind == .depth {
        sentences.append(
          "depth: the specified fit has a negative slope and is rejected in \(tally)"
            + (byRounding > 0 ? ", in \(byRounding) of them by Float32 rounding alone." : "."))
      } else if !negative.isEmpty {
        sentences.append(
          "\(kind.rawValue): the specified fit, linear in depth, has a negative slope and is rejected in \(tally)."
        )
      }
    }
    for status in [FusionStatus.tooFewPairs, .rejectedScale] {
      let refused = all.filter {
        $0.status == status && !(status == .rejectedScale && $0.scale < 0)
      }
      guard !refused.isEmpty else { continue }
      sentences.append(
        "`spec` refuses \(refused.count) of \(Rounded.count(all.count, "frame")) with status `\(status.rawValue)`."
      )
    }
    return sentences
  }

  private static func gainOverSpecification(_ run: EvaluationRun) -> [String] {
    var (fused, solved) = (0, 0)
    for record in run.records where record.method == MethodSelection.spec.id {
      if record.fusion.status != .noRelative { fused += 1 }
      if record.fusion.status == .ok { solved += 1 }
    }
    guard fused > 0, run.plan.methods.contains(.spec) else { return [] }
    var sentences: [String] = []
    if solved > 0 { sentences.append(gain(of: .spec, against: run.baseline, run)) }
    let best = run.plan.methods.filter { $0.role.isFitted && run.solvedFrames(of: $0) > 0 }.compactMap {
      selection in
      run.comparison(of: selection, against: MethodSelection.spec.id, column: headline, form: .fallback)
        .map { (selection.description.literal, $0) }
    }.min { $0.1.value < $1.1.value }
    if let (name, comparison) = best, let gain = comparison.relativeGain, abs(gain) < BestMethod.noGain {
      sentences.append(
        "On measured pixels the best fitted method (\(name)) and `spec`, the raw LiDAR standing in where either refused, have "
          + "the same MAE, \(Rounded.length(comparison.value)).")
    } else if let (name, comparison) = best, let gain = comparison.relativeGain {
      let how =
        solved == 0
        ? "`spec` solved no frame, so the raw LiDAR stands in for it: that is what an app that follows the specification shows"
        : "the raw LiDAR stands in where either refused"
      sentences.append(
        "Against `spec`, the best fitted method (\(name)) has a MAE on measured pixels that is "
          + "\(Rounded.percent(abs(gain))) \(gain >= 0 ? "lower" : "higher") (\(Rounded.length(comparison.value)) "
          + "instead of \(Rounded.length(comparison.referenceValue)); \(how))."
          + StatisticsNotes.evidence(comparison))
    }
    return sentences
  }

  /// Frames in which Float32 sums moved the slope by more than 1 %.
  private static func floatPrecision(_ run: EvaluationRun) -> [String] {
    var (total, affected, largest) = (0, 0, 0.0)
    var worst: FrameRecord?
    for record in run.records where record.method == MethodSelection.spec.id {
      guard let scale = record.fusion.line?.scale else { continue }
      total += 1
      guard let exact = record.fusion.scaleInDouble, abs(scale - exact) > 0.01 * abs(exact) else { continue }
      affected += 1
      let deviation = abs(scale - exact) / max(abs(exact), .leastNormalMagnitude)
      if worst == nil || deviation > largest { (worst, largest) = (record, deviation) }
    }
    guard let worst else { return [] }
    return [
      "Float32 running sums cost `spec` its slope in \(affected) of \(total) fitted frames: in "
        + "\(worst.scene)/\(worst.frame) it is \(Rounded.number(worst.fusion.line?.scale)), in Double on the same pairs "
        + "\(Rounded.number(worst.fusion.scaleInDouble)) (relative spread of the map "
        + "\(Rounded.number(worst.fusion.design?.spread, digits: 2)))."
    ]
  }

  // MARK: Coverage, confidence, objects, gaps

  /// The rest stands in the section on objects.
  private static func objects(_ run: EvaluationRun) -> [String] {
    run.objects.map { ObjectFindings(results: $0).headlines } ?? []
  }

  private static func filledPixels(_ run: EvaluationRun) -> [String] {
    guard let raw = run.aggregation.summary.first(where: { $0.method == MethodSelection.lidarBilinear.id }),
      let coverage = raw.value(.coverage), coverage < 0.999
    else { return [] }
    // A method with gaps of its own, or that refuses frames, is scored on easier pixels.
    let support = ValueSupport(run, column: .maeFilled)
    let rows = run.aggregation.summary.compactMap { row in
      row.isOracle ? nil : row.value(.maeFilled).map { (row: row, error: $0) }
    }
    let full = rows.filter { ($0.row.value(.coverage) ?? 0) > 0.9999 && support.isComplete($0.row.method) }
    guard let best = full.min(by: { $0.error < $1.error }) else { return [] }
    let count = support.of(best.row.method)
    let gaps = rows.filter { $0.error < best.error && !full.map(\.row.method).contains($0.row.method) }
      .map { entry in
        let scenes = support.of(entry.row.method).scenes
        return "\(entry.row.method) \(Rounded.length(entry.error))"
          + (scenes < count.scenes ? " (\(scenes) of the \(count.scenes) scenes)" : "")
      }
    return [
      "The LiDAR covers \(Rounded.percent(coverage)) of the truth. On the rest (\(Rounded.count(count.frames, "frame")) of "
        + "\(Rounded.count(count.scenes, "scene")) have such pixels), \(best.row.method) has the lowest MAE of the methods that "
        + "have a value everywhere, \(Rounded.length(best.error))."
        + (gaps.isEmpty ? "" : " On what they cover of it, less: \(gaps.joined(separator: ", ")).")
    ]
  }

  private static func confidence(_ run: EvaluationRun) -> [String] {
    let rows = (run.aggregation.breakdowns[Breakdown.confidence.id] ?? [])
      .filter { $0.method == MethodSelection.lidarBilinear.id }.sorted { $0.bin > $1.bin }
    let medians = rows.compactMap { row in row.value(.medianRel).map { (row.bin, $0) } }
    guard medians.count > 1 else { return [] }
    let (fewest, most) = (rows.map(\.scenes).min() ?? 0, rows.map(\.scenes).max() ?? 0)
    let basis =
      most == 1
      ? "the one scene that has confidence levels"
      : "means over the \(fewest == most ? "" : "\(fewest) to ")\(most) scenes that have confidence levels"
    let ordered = zip(medians, medians.dropFirst()).allSatisfy { $0.1 < $1.1 }
    let list = medians.map { "\(Rounded.percent($0.1, decimals: 2)) at level \($0.0)" }.joined(
      separator: ", ")
    return [
      ordered
        ? "Confidence predicts the raw LiDAR's error: median relative error \(list) (\(basis))."
        : "Confidence does **not** order the raw LiDAR's error: median relative error \(list) (\(basis))."
    ]
  }

  private static func missing(_ run: EvaluationRun) -> [String] {
    let noTruth = run.scenes.filter { $0.header.truthSize == nil }.map(\.name)
    let noRelative = run.scenes.filter { $0.header.relativeSize == nil && $0.header.truthSize != nil }
      .map(\.name)
    let withoutRelative = Set(noRelative)
    let scored =
      withoutRelative.isEmpty
      ? []
      : run.records.reduce(into: Set<String>()) { methods, record in
        if record.fusion.status == .ok, withoutRelative.contains(record.scene) {
          methods.insert(record.method)
        }
      }
    let scoredWithout = run.aggregation.summary.map(\.method).filter(scored.contains)
    let noConfidence = run.scenes.filter { !$0.header.hasConfidence }.map(\.name)
    return [
      noTruth.isEmpty ? nil : "No truth, so no errors: \(PageLimits.listed(noTruth.map(\.literal))).",
      noRelative.isEmpty
        ? nil
        : "No relative map, so nothing is fused, and what is scored (\(scoredWithout.map(\.literal).joined(separator: ", "))) comes from the LiDAR alone or is a stored prediction: \(PageLimits.listed(noRelative.map(\.literal))).",
      noConfidence.isEmpty
        ? nil
        : "No confidence map (every return counts as level 2; `shipped` then uses none): \(PageLimits.listed(noConfidence.map(\.literal))).",
    ].compactMap { $0 }
  }
}
