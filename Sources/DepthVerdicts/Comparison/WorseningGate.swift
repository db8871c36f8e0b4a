import FathomStatistics

/// Whether a run is shown to be worse than another: a gate that noise does not trip.
///
/// A comparison is worse where two things hold. The 95 % interval of its worsening over scenes lies wholly beyond the
/// tolerance. And swapping the runs in some of the scenes makes none of all comparisons look as bad in more than 5 % of
/// the choices of scenes (``JointSignFlips``): runs that differ by nothing but noise trip the whole gate, however many methods
/// and rules it has, in about 5 % of cases or fewer, whatever the noise is distributed like. Below ``fewestScenes`` nothing is shown: chance
/// alone makes four of four scenes worse in one of 16 cases.
public struct WorseningGate: Sendable {
  /// What came of one rule for one method.
  public enum Outcome: String, Sendable, Codable {
    /// The interval lies beyond the tolerance.
    case worse
    /// The interval lies within it.
    case within
    /// The interval holds the tolerance, or chance could do the same.
    case notShown = "not_shown"
    /// There is no interval.
    case unknown
  }

  /// Why there is no interval.
  public enum Cause: String, Sendable, Codable {
    /// No frame has a value in both runs.
    case noSharedFrame = "no-shared-frame"
    /// Fewer than ``fewestScenes``.
    case tooFewScenes = "too-few-scenes"
    case notFinite = "not-finite"
  }

  /// One rule applied to one method of one run.
  public struct Verdict: Sendable {
    public let rule: WorseningRule
    /// Position of the run among the candidates.
    public let run: Int
    public let pair: MethodPair, form: RunDifference.Form, outcome: Outcome
    /// nil unless the outcome is unknown.
    public let cause: Cause?
    /// Positive is worse, in the column's unit.
    public let worsening: Double?
    /// 95 % interval of the worsening over scenes.
    public let interval: ClosedRange<Double>?
    /// Probability that runs that are the same make any comparison look as bad; nil without an interval.
    public let chance: Double?
    /// In the column's unit.
    public let tolerance: Double?
    /// The reference's over the shared frames, in the column's unit.
    public let referenceValue: Double?
    public let scenes: Int

    /// Whether the other verdict differs in nothing but the form.
    func isSameQuestion(as other: Verdict) -> Bool {
      rule == other.rule && run == other.run && pair == other.pair
    }
  }

  /// Probability that noise trips the gate.
  public static let level = 0.05
  /// Fewest scenes that can show anything.
  public static let fewestScenes = 5
  /// Rule by rule, run by run, method by method; the forms of a method one after the other where frames were refused.
  public let verdicts: [Verdict]
  /// Comparisons that have an interval, and that are corrected for together.
  public let comparisons: Int
  /// Whether anything is worse.
  public var isWorse: Bool { verdicts.contains { $0.outcome == .worse } }
  /// Whether something could not be told: no rule was applied to anything, or a method has no interval in any form.
  public var isUnknown: Bool {
    verdicts.isEmpty
      || verdicts.contains { verdict in
        verdicts.allSatisfy { $0.outcome == .unknown || !$0.isSameQuestion(as: verdict) }
      }
  }

  /// Tolerances that let a value be twice as bad, as sentences: most often a slip of the unit.
  public var doubts: [String] {
    var seen: Set<WorseningRule> = []
    return verdicts.compactMap { verdict in
      guard let tolerance = verdict.tolerance, let value = verdict.referenceValue, value != 0,
        tolerance >= abs(value), seen.insert(verdict.rule).inserted
      else { return nil }
      return verdict.rule.doubt(tolerance, referenceValue: abs(value))
    }
  }

  /// - Parameter differences: Per candidate run.
  /// - Parameter seed: Of the swaps, where not all are counted.
  public init(_ rules: [WorseningRule], _ differences: [RunDifferences], pairs: [MethodPair], seed: UInt64) {
    var questions: [Question] = []
    for rule in rules {
      for (run, found) in differences.enumerated() {
        for pair in pairs {
          questions += Self.rows(found, pair, rule.column).map { Question(rule: rule, run: run, row: $0) }
        }
      }
    }
    let answerable = questions.indices.filter { questions[$0].canShow }
    let chances = JointSignFlips.pValues(answerable.map { questions[$0].excess }, seed: seed)
    comparisons = answerable.count
    let chance = Dictionary(uniqueKeysWithValues: zip(answerable, chances))
    verdicts = questions.indices.map { questions[$0].verdict(chance: chance[$0]) }
  }

  /// All frames, and where frames were refused those that both solved, too; nothing where a run lacks the method.
  private static func rows(
    _ found: RunDifferences, _ pair: MethodPair, _ column: ComparedColumn
  ) -> [RunDifference] {
    let rows = found.rows.filter { $0.pair == pair && $0.column == column }
    guard let whole = rows.first(where: { $0.form != .solved }) else { return [] }
    guard let solved = rows.first(where: { $0.form == .solved && $0.comparison != nil }) else {
      return [whole]
    }
    if whole.comparison == nil { return [solved] }
    return solved.comparison?.frames == whole.comparison?.frames ? [whole] : [whole, solved]
  }
}

/// A rule and what it is applied to.
private struct Question {
  let rule: WorseningRule, run: Int, row: RunDifference

  var canShow: Bool {
    guard let comparison = row.comparison else { return false }
    return comparison.scenes >= WorseningGate.fewestScenes && comparison.interval != nil
  }

  private var tolerance: Double? { row.comparison.map { rule.allowance($0.referenceValue) } }

  /// By how much every scene is worse than allowed. A mean within what is allowed shows nothing: there only the scatter
  /// about it counts, because an improvement, swapped, would hide what is worse elsewhere.
  var excess: JointSignFlips.Sample {
    let scenes = row.comparison?.sceneDifferences ?? []
    let worse = scenes.map { row.column.worsening($0.difference) ?? 0 }
    let centre = min(tolerance ?? 0, worse.reduce(0, +) / Double(max(1, worse.count)))
    return JointSignFlips.Sample(
      scenes: scenes.map(\.scene),
      values: zip(worse, scenes).map { value, scene in
        let rounding = 1e-12 * max(abs(scene.value), abs(scene.referenceValue))
        return abs(value - centre) <= rounding ? 0 : value - centre
      })
  }

  func verdict(chance: Double?) -> WorseningGate.Verdict {
    var interval: ClosedRange<Double>?
    if chance != nil, let ends = row.comparison?.interval,
      let low = row.column.worsening(ends.low), let high = row.column.worsening(ends.high)
    {
      interval = min(low, high)...max(low, high)
    }
    var outcome = WorseningGate.Outcome.unknown
    if let interval, let tolerance, let chance {
      let isBeyond = interval.lowerBound > tolerance && chance <= WorseningGate.level
      outcome = isBeyond ? .worse : interval.upperBound <= tolerance ? .within : .notShown
    }
    let scenes = row.comparison?.scenes ?? 0
    let cause: WorseningGate.Cause =
      scenes == 0 ? .noSharedFrame : scenes < WorseningGate.fewestScenes ? .tooFewScenes : .notFinite
    return WorseningGate.Verdict(
      rule: rule, run: run, pair: row.pair, form: row.form, outcome: outcome,
      cause: outcome == .unknown ? cause : nil, worsening: row.worsening, interval: interval, chance: chance,
      tolerance: tolerance, referenceValue: row.comparison?.referenceValue, scenes: scenes)
  }
}
