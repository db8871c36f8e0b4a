import DepthCore
import DepthEvaluation
import DepthFusion
import FathomStatistics

/// The run's one question and its answer: is this method better than that one?
///
/// Swapping the two in some of the scenes gives every other result that chance could have given as well; p is the share of them that
/// differ as much (sign flips of what the scenes add to the difference, both ways). All other comparisons of a run are exploratory.
public struct ContrastVerdict: Codable, Sendable, Equatable {
  public enum Outcome: String, Codable, Sendable {
    /// The interval excludes zero, and chance does the same in at most 5 % of cases.
    case better, worse
    /// The scenes cannot tell.
    case undecided
    /// So few scenes that no result could be told from chance.
    case tooFewScenes = "too-few-scenes"
    /// The two are not measured alike, see ``ComparisonVerdict/obstacle``: their errors do not show which is better.
    case notComparable = "not-comparable"
  }

  public let comparison: ComparisonVerdict
  /// Whether somebody asked this question, or it is the default one.
  public let isDeclared: Bool
  public let outcome: Outcome
  /// Two-sided, from sign flips; nil for one scene.
  public let p: Double?
  /// The smallest p that so many scenes can give.
  public let smallestP: Double?
  /// A difference of means that Student's test of so many scenes with this scatter would show in four of five cases, in the column's unit;
  /// nil without an interval, and for fewer scenes than ``fewestScenes``.
  public let detectable: Double?
  /// Correlation of the differences of adjacent images where it takes the proof away: alike neighbours, as of a video, count as fewer. nil
  /// where it does not.
  public let dependence: Double?
  /// Scenes that would show half of it, and scenes that would show the difference that was found; nil for more than 100,000.
  public let scenesForHalf: Int?, scenesForDifference: Int?
  /// What p is compared with.
  public static let level = 0.05
  /// Fewest scenes whose p can reach ``level``.
  public static let fewestScenes = 6
  static let power = 0.8  // How often an effect of the detectable size is found.
  private static let mostScenes = 100_000

  /// nil where the methods have no frame in common.
  init?(_ run: EvaluationRun, _ ranking: RankingVerdict) {
    guard let method = Self.method(run, ranking), let column = MetricColumn(id: ranking.column) else {
      return nil
    }
    let reference = run.plan.contrast.map { run.ids(of: $0.reference) } ?? [run.baseline]
    // A reference with several forms has no single row to compare with.
    guard reference.count == 1,
      let paired = run.comparison(
        of: method, against: reference[0], column: column, form: run.basis.widestForm),
      let comparison = ComparisonVerdict(method, paired, run)
    else { return nil }
    self.comparison = comparison
    isDeclared = run.plan.contrast != nil
    let differences = paired.sceneDifferences.map(\.contribution)
    let count = differences.count
    guard count > 1, differences.allSatisfy(\.isFinite) else {
      outcome = comparison.obstacle == nil ? .tooFewScenes : .notComparable
      dependence = nil
      (p, smallestP, detectable, scenesForHalf, scenesForDifference) = (nil, nil, nil, nil, nil)
      return
    }
    let names = paired.sceneDifferences.map(\.scene)
    let chances = JointSignFlips.pValues(
      [differences, differences.map { -$0 }].map { .init(scenes: names, values: $0) }, seed: run.plan.seed)
    let p = chances.min() ?? 1
    self.p = p
    smallestP = JointSignFlips.smallestTwoSided(scenes: count)
    let isShown = comparison.excludesZero == true && p <= Self.level
    dependence = isShown && Self.areSingleImages(run) ? Self.dependence(differences) : nil
    outcome =
      comparison.obstacle != nil
      ? .notComparable
      : count < Self.fewestScenes
        ? .tooFewScenes
        : !isShown || dependence != nil
          ? .undecided
          : comparison.outcome == .better ? .better : comparison.outcome == .worse ? .worse : .undecided
    // With fewer, no difference would be shown, however large.
    guard comparison.low != nil, count >= Self.fewestScenes else {
      (detectable, scenesForHalf, scenesForDifference) = (nil, nil, nil)
      return
    }
    let mean = differences.reduce(0, +) / Double(count)
    let deviation =
      (differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count - 1)).squareRoot()
    let detectable = Self.detectable(deviation, scenes: count)
    self.detectable = detectable
    scenesForHalf = deviation > 0 ? Self.scenes(for: detectable / 2, deviation) : nil
    scenesForDifference = deviation > 0 ? Self.scenes(for: abs(mean), deviation) : nil
  }

  /// Declared; else the first method that was named; else the first network's map that the data hold; else `auto`.
  private static func method(_ run: EvaluationRun, _ ranking: RankingVerdict) -> MethodSelection? {
    if let contrast = run.plan.contrast { return contrast.method }
    func asks(_ method: MethodSelection) -> Bool {
      method.role != .oracle && method.role != .sensor && run.ids(of: method) != [run.baseline]
        && (ranking[method.description]?.framesSolved ?? 0) > 0
    }
    return run.plan.named.first(where: asks) ?? run.plan.methods.first {
      $0.role == .stored && run.ids(of: $0) != [run.baseline]
    } ?? run.plan.methods.first { $0 == .auto } ?? run.plan.methods.first { $0.role != .literal && asks($0) }
      ?? run.plan.named.first { run.ids(of: $0) != [run.baseline] }
  }

  /// Whether images count one each, which nothing but their order could show to be of one scene.
  private static func areSingleImages(_ run: EvaluationRun) -> Bool {
    !run.basis.hasLidar && run.scenes.allSatisfy { $0.header.frameCount == 1 }
  }

  /// Fewest images whose order is looked at.
  private static let fewestInOrder = 16

  /// The correlation of neighbours, where it is above two standard errors of independent images and the mean is not shown by the number of
  /// independent images that would scatter as much: n·(1 − r)/(1 + r).
  /// - SeeAlso: Bayley and Hammersley 1946, "The 'effective' number of independent observations in an autocorrelated time series".
  private static func dependence(_ differences: [Double]) -> Double? {
    let count = Double(differences.count), mean = differences.reduce(0, +) / count
    let rest = differences.map { $0 - mean }
    let squares = rest.reduce(0) { $0 + $1 * $1 }
    guard differences.count >= fewestInOrder, squares > 0 else { return nil }
    let correlation = zip(rest, rest.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / squares
    guard correlation > 2 / count.squareRoot() else { return nil }
    let effective = count * (1 - correlation) / (1 + correlation)
    guard effective > 2 else { return correlation }
    let error = (squares / (count - 1) / effective).squareRoot()
    return abs(mean) < StudentDistribution.criticalValue(level, freedom: effective - 1) * error
      ? correlation : nil
  }

  /// Student's t of a mean over so many scenes, two-sided at ``level``, with this ``power``.
  private static func detectable(_ deviation: Double, scenes: Int) -> Double {
    let freedom = Double(scenes - 1)
    let width =
      StudentDistribution.criticalValue(level, freedom: freedom)
      + StudentDistribution.criticalValue(2 * (1 - power), freedom: freedom)
    return width * deviation / Double(scenes).squareRoot()
  }

  /// The fewest scenes whose detectable difference is this or less.
  private static func scenes(for difference: Double, _ deviation: Double) -> Int? {
    guard detectable(deviation, scenes: mostScenes) <= difference else { return nil }
    var (low, high) = (2, mostScenes)
    while low < high {
      let middle = (low + high) / 2
      if detectable(deviation, scenes: middle) <= difference { high = middle } else { low = middle + 1 }
    }
    return max(low, fewestScenes)
  }
}
