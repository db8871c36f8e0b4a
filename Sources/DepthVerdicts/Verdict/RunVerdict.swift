import DepthCore
public import DepthEvaluation
import DepthFusion
import FathomStorage

/// What a run shows, as values: `verdict.json`. Sentences, bold numbers, charts and pictures are made from it and decide nothing.
/// - SeeAlso: docs/verdict.md, which says what every key means.
public struct RunVerdict: Codable, Sendable, Equatable {
  /// Its name in a run folder.
  public static let fileName = "verdict.json"
  /// Raised where a key changes its meaning or goes.
  public static let currentVersion = 1
  public let version: Int
  /// Method that gains are relative to.
  public let baseline: String
  /// What the data can show, and what they lack.
  public let data: DataVerdict
  /// Which method is best, and how the others follow.
  public let ranking: RankingVerdict
  /// The run's one question and its answer; nil where there is nothing to compare.
  public let contrast: ContrastVerdict?
  /// Methods that a reader wants to know of: that of the question, those that were named, networks' maps, `auto`.
  public let subjects: [String]
  /// Why the input is more likely wrong than the methods are bad; nil where nothing is doubtful.
  public let doubts: [InputDoubt]?
  /// How errors are made: of the baseline, the subjects and the best method, where they have some.
  public let anatomies: [ErrorAnatomy]
  /// What to do next.
  public let next: NextStep
  /// Who is better and who is worse than the baseline, and than `spec`.
  public let references: [ReferenceVerdict]
  /// Methods that lead a column of the tables, by column. A column without an entry has no leader.
  public let leaders: [String: [String]]
  /// Whether the methods cover the same share of the truth, to a thousandth: else errors over all pixels have no leader.
  public let coverageIsEqual: Bool
  /// What becomes of the specified fit; nil where it did not run or no scene has a relative map.
  public let specification: SpecificationVerdict?
  /// Truth that the LiDAR does not cover; nil where it covers all, or nothing is known of the rest.
  public let filled: FilledVerdict?
  /// Whether confidence orders the raw LiDAR's error; nil without at least two levels.
  public let confidence: ConfidenceVerdict?
  /// How much surfaces move between frames; nil without neighbouring frames that have poses.
  public let steadiness: SteadinessVerdict?
  /// Tests of the methods' ranks; empty for fewer than five scenes.
  public let ranks: [RankVerdict]
  /// What was found of objects; nil where the data have none.
  public let objects: ObjectVerdict?
  /// What intervals and tests over so many scenes are worth.
  public let inference: InferenceVerdict

  public init(_ run: EvaluationRun) {
    let tally = RunTally(run)
    version = Self.currentVersion
    baseline = run.baseline
    let data = DataVerdict(run, tally)
    self.data = data
    let ranking = RankingVerdict(run, tally)
    self.ranking = ranking
    doubts = InputDoubt.all(run, data, ranking)
    let contrast = ContrastVerdict(run, ranking)
    self.contrast = contrast
    let stored = run.plan.methods.filter { $0.role == .stored }
    let wanted = run.plan.named + stored + run.plan.methods.filter { $0 == .auto }
    let asked = [contrast?.comparison.method].compactMap(\.self) + wanted.map(\.description)
    let subjects = asked.firstAppearances.filter { name in
      ranking[name].map { !$0.ids.contains(run.baseline) } ?? false
    }
    self.subjects = subjects
    let baseline = ranking.methods.first { $0.ids.contains(run.baseline) }?.method
    let described = [baseline, ranking.best].compactMap(\.self) + subjects
    anatomies = described.firstAppearances.compactMap { ranking[$0] }.compactMap {
      ErrorAnatomy($0, run, tally)
    }
    let shown = ranking.subject(of: contrast)
    next = NextStep(
      data, ranking, contrast, hasPredictions: !stored.isEmpty,
      worst: shown.flatMap { method in tally.worst(method.ids).map { (method.method, $0) } })
    references = ReferenceVerdict.all(run)
    (leaders, coverageIsEqual) = (Leaders.byColumn(run), Leaders.coverageIsEqual(run))
    specification = SpecificationVerdict(run, tally, ranking)
    filled = FilledVerdict(run)
    confidence = ConfidenceVerdict(run)
    steadiness = SteadinessVerdict(run)
    ranks = run.statistics.rankings.map(RankVerdict.init)
    objects = run.objects.map(ObjectVerdict.init)
    inference = InferenceVerdict(run)
  }

  /// Pretty-printed with sorted keys, so that equal runs give equal bytes.
  public var json: String { get throws { try CanonicalJSON.text(self) + "\n" } }
  /// How the error of a method is made; nil where nothing is known of it.
  public func anatomy(of method: String?) -> ErrorAnatomy? { anatomies.first { $0.method == method } }

  /// Whether a method leads a column, which tables print in bold.
  public func leads(_ method: String, in column: MetricColumn) -> Bool {
    leaders[column.id]?.contains(method) ?? false
  }
}
