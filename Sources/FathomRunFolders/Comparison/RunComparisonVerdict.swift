public import DepthVerdicts
import FathomStatistics

/// What a comparison of runs shows, as values: `verdict.json`. Sentences are made from it and decide nothing.
///
/// Values are in the metric's unit; metres and shares.
public struct RunComparisonVerdict: Codable, Sendable, Equatable {
  /// What became of a method.
  public enum Outcome: String, Codable, Sendable {
    case better, worse
    /// It changed, and the metric has no better direction.
    case different
    /// The run with the better value leaves out too much of what the other covers: the values do not show which is better.
    case notComparable = "not-comparable"
    /// The scenes do not tell the runs apart.
    case undecided
    /// The same value in every scene.
    case same
  }

  /// What an outcome rests on.
  public enum Evidence: String, Codable, Sendable {
    /// Wilcoxon's test after Holm's correction.
    case significant
    /// The 95 % interval alone.
    case interval
    /// Too few scenes for an interval.
    case range
  }

  /// A method in the metric that was asked about: all frames, the raw LiDAR standing in for refused ones where that has a meaning.
  public struct Method: Codable, Sendable, Equatable {
    /// Ids in the reference and in the other run.
    public let reference: String, candidate: String
    public let outcome: Outcome, evidence: Evidence
    /// Candidate minus reference, means over scenes, with its 95 % interval.
    public let difference: Double, low: Double?, high: Double?
    public let adjustedP: Double?, scenes: Int
    /// Coverage of the truth on the frames that both solved; nil where the runs can be compared.
    public let referenceCoverage: Double?, coverage: Double?
    /// "auto", or "huber@disparity → auto".
    public var title: String { MethodPair(reference: reference, candidate: candidate).title }
  }

  /// A method that solves another number of frames than in the reference.
  public struct Refusal: Codable, Sendable, Equatable {
    public let reference: String, candidate: String
    public let solvedReference: Int, solved: Int, frames: Int
    public var title: String { MethodPair(reference: reference, candidate: candidate).title }
  }

  /// A run compared with the reference.
  public struct Run: Codable, Sendable, Equatable {
    public let name: String, scenes: Int, frames: Int
    /// In the order of the methods; those without a value in both runs are omitted.
    public let methods: [Method]
    public let refusals: [Refusal]
    /// Methods without depth of their own in any shared frame of either run, which ``methods`` leaves out.
    public let withoutDepth: [String]
    /// Comparisons that p was corrected for together; nil where nothing was tested.
    public let comparisons: Int?
    /// The smallest adjusted p that any of them can give; nil where nothing was tested.
    public let smallestAttainableP: Double?
    /// Whether any comparison could be significant; nil where nothing was tested.
    public let canBeSignificant: Bool?

    package func methods(_ outcome: Outcome, _ evidence: Evidence? = nil) -> [Method] {
      methods.filter { $0.outcome == outcome && (evidence == nil || $0.evidence == evidence) }
    }
  }

  /// What the gate comes to.
  public struct Gate: Codable, Sendable, Equatable {
    public enum Outcome: String, Codable, Sendable {
      /// Something is worse: the command fails.
      case worse
      /// Nothing could be judged.
      case nothingJudged = "nothing-judged"
      /// Nothing judged is worse, and something could not be judged.
      case partlyJudged = "partly-judged"
      case nothingWorse = "nothing-worse"
    }

    /// A comparison that could not be judged.
    public struct Unjudged: Codable, Sendable, Equatable {
      /// As it was given.
      public let rule: String
      public let run: String, reference: String, candidate: String
      /// Whether it is about the frames that both solved, not about all.
      public let isOfSolvedFrames: Bool
      public let cause: WorseningGate.Cause, scenes: Int
      public var title: String { MethodPair(reference: reference, candidate: candidate).title }
    }

    public let outcome: Outcome
    /// Rules times methods and runs; of those, what could not be judged.
    public let comparisons: Int, unknown: Int
    /// Those, in the order of rules, runs and methods.
    public let unjudged: [Unjudged]
    /// Whether `--fail-if-unknown` fails.
    public let isUnknown: Bool
  }

  /// What to do next.
  public enum Next: String, Codable, Sendable {
    /// More scenes: so few cannot show anything.
    case needsScenes = "needs-scenes"
    /// Look at the frames of the new run.
    case look
  }

  /// Its name in a folder.
  public static let fileName = "verdict.json"
  /// Raised where a key changes its meaning or goes.
  public let version: Int
  /// The run that all are compared with.
  public let reference: String
  public let metric: String, runs: [Run]
  /// nil where no rule was given.
  public let gate: Gate?
  public let next: Next

  public init(_ comparison: RunComparison) {
    version = 1
    (reference, metric) = (comparison.label, comparison.request.metric.id)
    runs = zip(comparison.candidates, comparison.differences).map { Run($0, $1, comparison.request.metric) }
    gate = comparison.gate.map { Gate($0, comparison) }
    let scenes = comparison.candidates.map(\.scenes).max() ?? 0
    next = scenes < WorseningGate.fewestScenes ? .needsScenes : .look
  }
}

extension RunComparisonVerdict.Run {
  init(_ candidate: RunComparison.Candidate, _ found: RunDifferences, _ column: ComparedColumn) {
    (name, scenes, frames) = (candidate.label, candidate.scenes, candidate.frames)
    let rows = candidate.shown.compactMap { found.headline($0, column.id) }
    methods = rows.compactMap { RunComparisonVerdict.Method($0, found.unequalCoverage($0)) }
    withoutDepth = candidate.withoutDepth.map(\.title)
    refusals = candidate.pairs.compactMap { pair in
      guard let solved = found.solved[pair], solved.reference != solved.candidate else { return nil }
      return RunComparisonVerdict.Refusal(
        reference: pair.reference, candidate: pair.candidate, solvedReference: solved.reference,
        solved: solved.candidate, frames: solved.frames)
    }
    let changed = zip(rows.filter { $0.comparison != nil }, methods).filter { $1.outcome != .same }
    comparisons = changed.lazy.compactMap { $0.0.comparison?.familySize }.first
    smallestAttainableP = changed.compactMap { $0.0.comparison?.smallestAttainableP }.min()
    canBeSignificant = smallestAttainableP.map { $0 < PairedComparison.level }
  }
}

extension RunComparisonVerdict.Method {
  /// nil where no frame has a value in both runs.
  init?(_ row: RunDifference, _ unequal: PairedComparison?) {
    guard let found = row.comparison else { return nil }
    (reference, candidate, scenes) = (row.pair.reference, row.pair.candidate, found.scenes)
    difference = found.difference
    (low, high) = (found.interval?.low, found.interval?.high)
    adjustedP = found.adjustedP
    (referenceCoverage, coverage) = (unequal?.referenceValue, unequal?.value)
    let isSignificant = found.isSignificant == true
    evidence = isSignificant ? .significant : found.interval == nil ? .range : .interval
    if found.sceneDifferences.allSatisfy({ $0.difference == 0 }) {
      outcome = .same
    } else if unequal != nil {
      outcome = .notComparable
    } else if !isSignificant && found.interval?.excludesZero != true {
      outcome = .undecided
    } else if row.column.direction == .zeroIsBest {
      outcome = .different
    } else {
      outcome = row.worsening.map { $0 > 0 ? .worse : .better } ?? .different
    }
  }
}

extension RunComparisonVerdict.Gate {
  init(_ gate: WorseningGate, _ comparison: RunComparison) {
    let unjudged = gate.verdicts.compactMap { verdict in
      verdict.cause.map { cause in
        Unjudged(
          rule: verdict.rule.description, run: comparison.candidates[verdict.run].label,
          reference: verdict.pair.reference, candidate: verdict.pair.candidate,
          isOfSolvedFrames: verdict.form == .solved, cause: cause, scenes: verdict.scenes)
      }
    }
    self.unjudged = unjudged
    (comparisons, unknown) = (gate.verdicts.count, unjudged.count)
    isUnknown = comparison.isUnknown
    outcome =
      gate.isWorse
      ? .worse : unknown == comparisons ? .nothingJudged : unknown > 0 ? .partlyJudged : .nothingWorse
  }
}
