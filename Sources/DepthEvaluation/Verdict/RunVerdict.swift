import Storage

/// What a run shows, as values: `verdict.json`. Sentences, bold numbers, charts and pictures are made from it and decide nothing.
///
/// - SeeAlso: docs/verdict.md, which says what every key means.
public struct RunVerdict: Codable, Sendable, Equatable {
  /// Its name in a run folder.
  public static let fileName = "verdict.json"
  /// Raised where a key changes its meaning or goes.
  public static let currentVersion = 1

  public let version: Int
  /// Method that gains are held against.
  public let baseline: String
  /// What the data can show, and what they lack.
  public let data: DataVerdict
  /// Which method is best, and how the others follow.
  public let ranking: RankingVerdict
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
  /// Tests of the methods' ranks; empty for fewer than five scenes.
  public let ranks: [RankVerdict]
  /// What intervals and tests over so many scenes are worth.
  public let inference: InferenceVerdict

  public init(_ run: EvaluationRun) {
    let tally = RunTally(run)
    version = Self.currentVersion
    baseline = run.baseline
    data = DataVerdict(run, tally)
    let ranking = RankingVerdict(run, tally)
    self.ranking = ranking
    references = ReferenceVerdict.all(run)
    (leaders, coverageIsEqual) = (Leaders.byColumn(run), Leaders.coverageIsEqual(run))
    specification = SpecificationVerdict(run, tally, ranking)
    filled = FilledVerdict(run)
    confidence = ConfidenceVerdict(run)
    ranks = run.statistics.rankings.map(RankVerdict.init)
    inference = InferenceVerdict(run)
  }

  /// Pretty-printed with sorted keys, so that equal runs give equal bytes.
  public var json: String {
    get throws { try CanonicalJSON.text(self) + "\n" }
  }

  /// Whether a method leads a column, which tables print in bold.
  public func leads(_ method: String, in column: MetricColumn) -> Bool {
    leaders[column.id]?.contains(method) ?? false
  }
}
