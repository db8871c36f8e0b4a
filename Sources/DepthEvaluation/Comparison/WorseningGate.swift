/// Whether a run is shown to be worse than another: a gate that noise does not trip.
///
/// A comparison is worse where two things hold. Student's interval of its worsening over scenes lies wholly beyond the
/// tolerance; with k comparisons every interval has the level 1 − 0.05/k (Bonferroni), so that all of them hold together
/// with 95 %. And swapping the runs in some of the scenes seldom makes any comparison look as bad
/// (``JointSignFlips``, p ≤ 0.05 for all of them together), which needs no distribution: Student's interval alone would be fooled
/// where few scenes differ by equal amounts. Below ``fewestScenes`` nothing is shown: chance alone makes four of four scenes
/// worse in one of 16 cases.
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

  /// One rule applied to one method of one run.
  public struct Verdict: Sendable {
    public let rule: WorseningRule
    /// Position of the run among the candidates.
    public let run: Int
    public let pair: MethodPair
    public let form: RunDifference.Form
    public let outcome: Outcome
    /// Positive is worse, in the column's unit.
    public let worsening: Double?
    /// Simultaneous interval of the worsening.
    public let interval: ClosedRange<Double>?
    /// Probability that runs that are the same make any comparison look as bad; nil without an interval.
    public let chance: Double?
    /// In the column's unit.
    public let tolerance: Double?
    public let scenes: Int
  }

  /// Probability that any of the intervals is wrong.
  public static let level = 0.05
  /// Fewest scenes that can show anything.
  public static let fewestScenes = 5

  /// Rule by rule, run by run, method by method; the forms of a method one after the other where frames were refused.
  public let verdicts: [Verdict]
  /// Intervals that hold together: k.
  public let comparisons: Int

  /// Level of each interval.
  public var intervalLevel: Double { 1 - Self.level / Double(max(1, comparisons)) }
  /// Whether anything is worse.
  public var isWorse: Bool { verdicts.contains { $0.outcome == .worse } }
  /// Whether something could not be told: no rule was applied to anything, or an interval is missing.
  public var isUnknown: Bool { verdicts.isEmpty || verdicts.contains { $0.outcome == .unknown } }

  /// - Parameters:
  ///   - differences: Per candidate run.
  ///   - pairs: The methods that are judged.
  ///   - seed: Of the swaps, where not all are counted.
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
    let level = 1 - Self.level / Double(max(1, comparisons))
    let chance = Dictionary(uniqueKeysWithValues: zip(answerable, chances))
    verdicts = questions.indices.map { questions[$0].verdict(level: level, chance: chance[$0]) }
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
  let rule: WorseningRule
  let run: Int
  let row: RunDifference

  var canShow: Bool {
    guard let comparison = row.comparison else { return false }
    return comparison.scenes >= WorseningGate.fewestScenes && comparison.standardError != nil
  }

  private var tolerance: Double? { row.comparison.map { rule.allowance($0.referenceValue) } }

  /// By how much every scene is worse than allowed.
  var excess: JointSignFlips.Sample {
    let scenes = row.comparison?.sceneDifferences ?? []
    return JointSignFlips.Sample(
      scenes: scenes.map(\.scene),
      values: scenes.map { (row.column.worsening($0.difference) ?? 0) - (tolerance ?? 0) })
  }

  func verdict(level: Double, chance: Double?) -> WorseningGate.Verdict {
    var interval: ClosedRange<Double>?
    if chance != nil, let ends = row.comparison?.studentInterval(level),
      let low = row.column.worsening(ends.lowerBound), let high = row.column.worsening(ends.upperBound)
    {
      interval = min(low, high)...max(low, high)
    }
    var outcome = WorseningGate.Outcome.unknown
    if let interval, let tolerance, let chance {
      let isBeyond = interval.lowerBound > tolerance && chance <= WorseningGate.level
      outcome = isBeyond ? .worse : interval.upperBound <= tolerance ? .within : .notShown
    }
    return WorseningGate.Verdict(
      rule: rule, run: run, pair: row.pair, form: row.form, outcome: outcome, worsening: row.worsening,
      interval: interval, chance: chance, tolerance: tolerance, scenes: row.comparison?.scenes ?? 0)
  }
}
