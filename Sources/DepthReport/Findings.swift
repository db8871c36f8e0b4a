import PlainText
import DepthCore
public import DepthEvaluation
import DepthFusion

/// What a run shows, in sentences: the first thing that a reader sees. It words a verdict and decides nothing.
public struct Findings: Sendable {
  /// Said before everything else: what these data cannot show. nil where they can.
  public let caveat: String?
  /// One sentence or two each, most important first.
  public let sentences: [String]

  /// - Parameters:
  ///   - rules: The run's protocol, by name.
  ///   - objects: What was found of objects; nil where the data have none.
  public init(_ verdict: RunVerdict, rules: EvaluationProtocol, objects: ObjectResults? = nil) {
    let caveats = [Self.oracleProtocol(verdict, rules), Self.dataCaveat(verdict.data)].compactMap { $0 }
    caveat = caveats.isEmpty ? nil : caveats.joined(separator: " ")
    sentences =
      [
        Self.simulation(verdict.data), Self.kind(verdict.data), Self.specificationStatus(verdict),
        Self.bestMethod(verdict), Self.publishedApp(verdict), Self.gainOverSpecification(verdict),
        Self.floatPrecision(verdict), Self.filledPixels(verdict), Self.confidence(verdict),
        // The rest stands in the section on objects.
        objects.map { ObjectFindings(results: $0).headlines } ?? [], Self.missing(verdict.data),
      ].flatMap { $0 }
  }

  /// What kind of numbers these are.
  private static func simulation(_ data: DataVerdict) -> [String] {
    guard data.rendered > 0 else { return [] }
    let whose =
      data.rendered == data.scored
      ? "" : " of \(data.rendered) of \(counted(data.scored, "scene"))"
    return ["The truth\(whose) is rendered: these are **simulated data**, not measurements of a device."]
  }

  private static func oracleProtocol(_ verdict: RunVerdict, _ rules: EvaluationProtocol) -> String? {
    guard verdict.data.usesOracleProtocol else { return nil }
    return
      "Oracle protocol (\(rules.title)): every prediction, the raw LiDAR's too, was fitted to the truth "
      + "of its frame before it was scored. No app has the truth, so these numbers cannot be held against an app's."
  }

  private static func dataCaveat(_ data: DataVerdict) -> String? {
    guard data.scenes > 0 else { return "No file could be read: there is nothing to report." }
    guard data.scored > 0 else { return "No scene has truth: nothing can be scored." }
    guard data.dependent > 0 else { return selectionCaveat(data) }
    let whose =
      data.dependent == data.scored
      ? "The truth" : "The truth of \(data.dependent) of \(data.scored) scenes"
    return
      "\(whose) is not independent of the LiDAR (\(data.dependences.map(\.rawValue).joined(separator: ", "))): these data "
      + "cannot show a gain over the raw LiDAR there, only a loss."
      + (data.dependences.contains(.multiview)
        ? " Multi-view truth is from the recording itself: it cannot show a gain over the LiDAR." : "")
      + (selectionCaveat(data).map { " " + $0 } ?? "")
  }

  private static func selectionCaveat(_ data: DataVerdict) -> String? {
    guard let selected = data.selected else { return nil }
    let whose = selected == data.scored ? "The truth" : "The truth of \(selected) of \(data.scored) scenes"
    return
      "\(whose) was selected: its makers left out the pixels that disagree with the LiDAR. The raw LiDAR looks better here than it is, "
      + "and a gain over it smaller."
  }

  // MARK: Which method

  private static func bestMethod(_ verdict: RunVerdict) -> [String] {
    let ranking = verdict.ranking
    guard let best = ranking[ranking.best] else { return [] }
    let compared = best.withFallback
    let whose =
      ranking.column == MetricColumn.maeMeasured.id
      ? "the pixels that the LiDAR measures" : "all pixels (the LiDAR measures none of the truth)"
    var text =
      "Best method on \(whose): **\(best.method.literal)**, "
      + "MAE \(Quantity(best.error, .length).text) "
      + "over \(counted(compared.frames, "frame")) of \(counted(compared.scenes, "scene"))"
    if best.framesRefused > 0 {
      text += " (in \(counted(best.framesRefused, "frame")) the raw LiDAR stands in)"
    }
    text += "."
    let passedOver = ranking.passedOver.map { method in
      "\(method.method.literal) (\(counted(method.withFallback.scenes, "scene")), coverage "
        + "\(Quantity(method.coverage, .percent()).text))"
    }
    if !passedOver.isEmpty {
      text += " Not ranked, because of fewer scenes or pixels: \(passedOver.joined(separator: ", "))."
    }
    guard ranking.baselineIsBest else { return [text, gain(of: best)] }
    text += " No other method beats the baseline."
    return [text] + (ranking[ranking.bestFitted].map { [gain(of: $0)] } ?? [])
  }

  /// How the published app fares, where it ran.
  private static func publishedApp(_ verdict: RunVerdict) -> [String] {
    gain(of: .shipped, verdict)
  }

  /// The gain of a method over the baseline; nothing where it solved no frame.
  private static func gain(of selection: MethodSelection, _ verdict: RunVerdict) -> [String] {
    guard let method = verdict.ranking[selection.description], method.framesSolved > 0 else { return [] }
    return [gain(of: method)]
  }

  private static func gain(of method: RankedMethod) -> String {
    let (name, compared) = (method.method.literal, method.gain)
    let reference = compared.reference.literal
    guard compared.outcome != .same, let gain = compared.gain else {
      return
        "On \(pixels(compared)) \(name) and \(reference) have the same MAE, \(Quantity(compared.value, .length).text) "
        + "(\(counted(compared.frames, "frame")), \(counted(compared.scenes, "scene")))."
    }
    return
      "Against \(reference), the MAE of \(name) on \(pixels(compared)) is \(Quantity(abs(gain), .percent()).text) "
      + "\(compared.outcome == .better ? "lower" : "higher") (\(Quantity(compared.value, .length).text) instead of "
      + "\(Quantity(compared.referenceValue, .length).text); \(counted(compared.frames, "frame")), "
      + "\(counted(compared.scenes, "scene")), coverage \(Quantity(method.coverage ?? 0, .percent()).text))."
      + StatisticsNotes.evidence(compared)
  }

  /// "measured pixels", "all pixels"
  private static func pixels(_ compared: ComparisonVerdict) -> String {
    MetricColumn(id: compared.column)?.support.title ?? "all pixels"
  }

  // MARK: The relative map and what it does to the specification

  private static func kind(_ data: DataVerdict) -> [String] {
    var sentences = data.relativeMaps.map { maps in
      let larger = maps.kind == .disparity ? "larger is nearer" : "larger is farther"
      let found = maps.correlations.count
      let parts = [
        maps.declared == 0 ? nil : "declared in \(counted(maps.declared, "scene"))",
        found == 0
          ? nil
          : "found by rank correlation in \(counted(found, "scene")) (\(listed(correlations: maps.correlations)))",
      ].compactMap { $0 }
      return "The relative map is **\(maps.kind.rawValue)** (\(larger)), \(parts.joined(separator: ", "))."
    }
    if !data.undecided.isEmpty {
      sentences.append(
        "The kind of the relative map is undeclared and undecided (|ρ| < \(RelativeKindEstimator.undecidedBelow)) in "
          + "\(PageLimits.listed(data.undecided.map(\.literal))): fitted there as disparity.")
    }
    return sentences
  }

  /// "ρ = 0.97, ρ = 0.98", or the ends of a long list.
  private static func listed(correlations: [Double]) -> String {
    func text(_ value: Double) -> String { "ρ = \(Quantity.fixed(value, 2))" }
    guard correlations.count > PageLimits.names, let least = correlations.min(), let most = correlations.max()
    else { return correlations.map(text).joined(separator: ", ") }
    return "\(text(least)) to \(Quantity.fixed(most, 2))"
  }

  private static func specificationStatus(_ verdict: RunVerdict) -> [String] {
    guard let specification = verdict.specification else { return [] }
    let slopes = specification.slopes.filter { $0.negative > 0 }.map { slopes in
      let tally = "\(slopes.negative) of \(counted(slopes.frames, "frame"))"
      return slopes.kind == .depth
        ? "depth: the specified fit has a negative slope and is rejected in \(tally)"
          + (slopes.byRounding > 0 ? ", in \(slopes.byRounding) of them by Float32 rounding alone." : ".")
        : "\(slopes.kind.rawValue): the specified fit, linear in depth, has a negative slope and is rejected in \(tally)."
    }
    return slopes
      + specification.refusals.map {
        "`spec` refuses \($0.frames) of \(counted(specification.frames, "frame")) with status `\($0.status.rawValue)`."
      }
  }

  private static func gainOverSpecification(_ verdict: RunVerdict) -> [String] {
    guard let specification = verdict.specification else { return [] }
    let own = gain(of: .spec, verdict)
    guard let best = specification.bestFitted else { return own }
    guard best.outcome != .same, let gain = best.gain else {
      return own + [
        "On \(pixels(best)) the best fitted method (\(best.method.literal)) and `spec`, the raw LiDAR standing in where either "
          + "refused, have the same MAE, \(Quantity(best.value, .length).text)."
      ]
    }
    let how =
      specification.solved == 0
      ? "`spec` solved no frame, so the raw LiDAR stands in for it: that is what an app that follows the specification shows"
      : "the raw LiDAR stands in where either refused"
    return own + [
      "Against `spec`, the best fitted method (\(best.method.literal)) has a MAE on \(pixels(best)) that is "
        + "\(Quantity(abs(gain), .percent()).text) \(best.outcome == .better ? "lower" : "higher") (\(Quantity(best.value, .length).text) "
        + "instead of \(Quantity(best.referenceValue, .length).text); \(how))."
        + StatisticsNotes.evidence(best)
    ]
  }

  /// Frames in which Float32 sums moved the slope.
  private static func floatPrecision(_ verdict: RunVerdict) -> [String] {
    guard let precision = verdict.specification?.precision else { return [] }
    return [
      "Float32 running sums cost `spec` its slope in \(precision.affected) of \(precision.fitted) fitted frames: in "
        + "\(precision.scene)/\(precision.frame) it is \(Quantity(precision.scale, .significant()).text), in Double on the same pairs "
        + "\(Quantity(precision.scaleInDouble, .significant()).text) (relative spread of the map "
        + "\(Quantity(precision.spread, .significant(2)).text))."
    ]
  }

  // MARK: Coverage, confidence, gaps

  private static func filledPixels(_ verdict: RunVerdict) -> [String] {
    guard let filled = verdict.filled else { return [] }
    let gaps = filled.lowerWithGaps.map { entry in
      "\(entry.method) \(Quantity(entry.error, .length).text)"
        + (entry.scenes < filled.scenes ? " (\(entry.scenes) of the \(filled.scenes) scenes)" : "")
    }
    return [
      "The LiDAR covers \(Quantity(filled.lidarCoverage, .percent()).text) of the truth. On the rest (\(counted(filled.frames, "frame")) of "
        + "\(counted(filled.scenes, "scene")) have such pixels), \(filled.best.method) has the lowest MAE of the methods that "
        + "have a value everywhere, \(Quantity(filled.best.error, .length).text)."
        + (gaps.isEmpty ? "" : " On what they cover of it, less: \(gaps.joined(separator: ", ")).")
    ]
  }

  private static func confidence(_ verdict: RunVerdict) -> [String] {
    guard let confidence = verdict.confidence else { return [] }
    let scenes = confidence.levels.map(\.scenes)
    let (fewest, most) = (scenes.min() ?? 0, scenes.max() ?? 0)
    let basis =
      most == 1
      ? "the one scene that has confidence levels"
      : "means over the \(fewest == most ? "" : "\(fewest) to ")\(most) scenes that have confidence levels"
    let list = confidence.levels.map { "\(Quantity($0.medianRel, .percent(2)).text) at level \($0.level)" }
      .joined(separator: ", ")
    return [
      confidence.isOrdered
        ? "Confidence predicts the raw LiDAR's error: median relative error \(list) (\(basis))."
        : "Confidence does **not** order the raw LiDAR's error: median relative error \(list) (\(basis))."
    ]
  }

  private static func missing(_ data: DataVerdict) -> [String] {
    func names(_ scenes: [String]) -> String { PageLimits.listed(scenes.map(\.literal)) }
    return [
      data.withoutTruth.isEmpty ? nil : "No truth, so no errors: \(names(data.withoutTruth)).",
      data.withoutRelative.isEmpty
        ? nil
        : "No relative map, so nothing is fused, and what is scored (\(data.scoredWithoutRelative.map(\.literal).joined(separator: ", "))) comes from the LiDAR alone or is a stored prediction: \(names(data.withoutRelative)).",
      data.withoutConfidence.isEmpty
        ? nil
        : "No confidence map (every return counts as level 2; `shipped` then uses none): \(names(data.withoutConfidence)).",
    ].compactMap { $0 }
  }
}
