import FathomDocuments
import FathomPlainText
import DepthCore
import DepthEvaluation
import DepthFusion
public import DepthVerdicts

/// Other findings of a run, in sentences, below its ``RunAnswer``. It words a verdict and decides nothing.
public struct Findings: Sendable {
  /// Said before everything else: what these data cannot show. nil where they can.
  public let caveat: String?
  /// One sentence or two each, most important first.
  public let sentences: [String]

  public init(_ run: EvaluationRun, _ verdict: RunVerdict) {
    let units = run.plan.units
    caveat = run.basis.hasLidar ? Self.oracleProtocol(verdict, run.plan.rules) : MapFits(run).caveat
    sentences =
      [
        Self.kind(verdict.data), Self.specificationStatus(verdict),
        Self.gainOverSpecification(verdict, units),
        Self.floatPrecision(verdict), Self.filledPixels(verdict, units), Self.confidence(verdict),
        // The rest stands in the section on objects.
        verdict.objects.map { ObjectFindings(verdict: $0, units: units).headlines } ?? [],
        Self.missing(verdict.data, run.basis),
      ].flatMap { $0 }
  }

  private static func oracleProtocol(_ verdict: RunVerdict, _ rules: EvaluationProtocol) -> String? {
    guard verdict.data.usesOracleProtocol else { return nil }
    return "Oracle protocol (\(rules.title)): every prediction, the raw LiDAR's too, was fitted to the truth "
      + "of its frame before it was scored. No app has the truth, so these numbers cannot be compared with an app's."
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

  /// What becomes of the specified fit, with its formula where it never gives depth.
  private static func specificationStatus(_ verdict: RunVerdict) -> [String] {
    guard let specification = verdict.specification, specification.frames > 0 else { return [] }
    let negative = specification.slopes.filter { $0.negative > 0 }
    let why = negative.map { slopes in
      slopes.kind == .depth
        ? "α is negative in \(slopes.negative) of \(counted(slopes.frames, "frame"))"
          + (slopes.byRounding > 0 ? ", in \(slopes.byRounding) of them by Float32 rounding alone" : "")
        : "larger relative values are nearer, so α is negative in \(slopes.negative) of \(counted(slopes.frames, "frame"))"
    }
    let others = specification.refusals.map { "\($0.status.words) in \(counted($0.frames, "frame"))" }
    guard specification.solved < specification.frames else { return [] }
    let refused = specification.frames - specification.solved
    let share = specification.solved == 0 ? "gives no depth in any" : "refuses \(refused)"
    let opening =
      "`spec`, a fusion as one AR app specifies it, \(share) of \(counted(specification.frames, "frame"))"
    let reasons = why + others
    return [
      "\(opening): it fits depth = α·r + β to the relative map r by least squares and accepts 0.01 < α < 100"
        + (reasons.isEmpty ? "." : "; \(reasons.joined(separator: "; ")).")
        + (specification.solved == 0
          ? " An app that follows it shows the raw LiDAR, so `spec` has no row in the tables." : "")
    ]
  }

  /// What an app that follows the specification would gain; nothing where it never has depth of its own.
  private static func gainOverSpecification(_ verdict: RunVerdict, _ units: LengthUnit) -> [String] {
    guard let specification = verdict.specification, specification.solved > 0,
      let best = specification.bestFitted, best.outcome != .same, let gain = best.gain
    else { return [] }
    return [
      "Against `spec`, the raw LiDAR standing in where it refuses, \(best.method.literal) has \(Quantity(abs(gain), .percent()).text) "
        + "\(best.outcome == .better ? "less" : "more") MAE (\(units.text(best.value)) instead of \(units.text(best.referenceValue)), "
        + "difference \(units.difference(best.value - best.referenceValue, low: best.low, high: best.high)))."
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

  private static func filledPixels(_ verdict: RunVerdict, _ units: LengthUnit) -> [String] {
    guard let filled = verdict.filled else { return [] }
    let gaps = filled.lowerWithGaps.map { entry in
      "\(entry.method) \(units.text(entry.error))"
        + (entry.scenes < filled.scenes ? " (\(entry.scenes) of the \(filled.scenes) scenes)" : "")
    }
    return [
      "The LiDAR covers \(Quantity(filled.lidarCoverage, .percent()).text) of the truth. On the rest (\(counted(filled.frames, "frame")) of "
        + "\(counted(filled.scenes, "scene")) have such pixels), \(filled.best.method) has the lowest MAE of the methods that "
        + "have a value everywhere, \(units.text(filled.best.error))."
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
      : "then over the \(fewest == most ? "" : "\(fewest) to ")\(most) scenes that have confidence levels"
    let list = confidence.levels.map { "\(Quantity($0.medianRel, .percent(2)).text) at level \($0.level)" }
      .joined(separator: ", ")
    return [
      "Confidence \(confidence.isOrdered ? "predicts" : "does **not** order") the raw LiDAR's error: median relative error, averaged over frames, \(list) (\(basis))."
    ]
  }

  private static func missing(_ data: DataVerdict, _ basis: ComparisonBasis) -> [String] {
    func names(_ scenes: [String]) -> String { PageLimits.listed(scenes.map(\.literal)) }
    // Of no scene at all, the verdict says so.
    let truth =
      data.withoutTruth.isEmpty || data.scored == 0
      ? [] : ["No truth, so no errors: \(names(data.withoutTruth))."]
    guard basis.hasLidar else { return truth }
    return truth
      + [
        data.scored == 0 && data.relativeMaps.isEmpty && data.undecided.isEmpty
          ? "No scene has a relative map, so nothing is fused: what is compared are the LiDAR's own maps. `fathom attach` adds what your network made of these frames."
          : nil,
        data.withoutRelative.isEmpty
          ? nil
          : "Without a relative map, nothing is fused in \(names(data.withoutRelative)): the methods scored there use the LiDAR alone or are stored predictions (\(data.scoredWithoutRelative.map(\.literal).joined(separator: ", "))).",
        data.withoutConfidence.isEmpty
          ? nil
          : "No confidence map (every return counts as level 2; `shipped` then uses none): \(names(data.withoutConfidence)).",
      ].compactMap { $0 }
  }
}
