import DepthCore
import DepthEvaluation
public import DepthFusion

/// The methods of a run in order, by one rule; the only place where "best" is decided.
///
/// Methods are ordered by ``column`` over all scored frames of all scenes, the raw LiDAR standing in where a method refused or did
/// not run, so that every method answers for the same pixels. The column is the MAE on measured pixels; where the LiDAR measures
/// none of the truth, the MAE of all pixels. A method that covers fewer scenes, or more than one percentage point less of the truth
/// than the baseline (without a LiDAR: than any other), is not ranked: leaving out what is difficult is not a gain. Nor is `smoothed` beside a
/// reference made of neighbouring frames, which it averages too. A lead that would be printed as 0.0 % beats no
/// baseline. Oracles are not candidates. Where no scene has a LiDAR nothing replaces missing values: methods are compared with the baseline on
/// the frames that both solved, and one that solved fewer than others has no place.
public struct RankingVerdict: Codable, Sendable, Equatable {
  /// What methods are ordered by: id of a column of the tables.
  public let column: String
  /// Candidates: those with a place from the best on, then the others by their error.
  public let methods: [RankedMethod]
  /// Of the first; nil where nothing could be scored.
  public let best: String?
  /// The best of those that fit or are a network's map; one without a place only where none has one. nil where none solved a frame.
  public let bestFitted: String?
  /// Whether no method beats the baseline.
  public let baselineIsBest: Bool

  init(_ run: EvaluationRun, _ tally: RunTally) {
    let candidates = run.plan.methods.filter { $0.role != .oracle }
    let column =
      run.basis.ranking.first { column in candidates.contains { tally.valued(run.ids(of: $0), column) > 0 } }
      ?? run.basis.mae
    self.column = column.id
    let found = candidates.compactMap { RankedMethod($0, run, tally, column) }
      .sorted { first, second in
        // Where LiDAR and truth share their pixels, the nearest and the bilinear map are one: a tie is not a gain.
        let (a, b) = (first.error, second.error)
        return a == b ? first.isBaseline(of: run) && !second.isBaseline(of: run) : a < b
      }
    let scenes = found.filter { $0.framesSolved > 0 }.map(\.withFallback.scenes).max() ?? 0
    // Without a stand-in, a method is compared on its own frames: refusing one would pay.
    let frames = run.basis.hasLidar ? 0 : found.map(\.framesSolved).max() ?? 0
    // Nor may a baseline that is a network leave pixels out.
    let most = run.basis.hasLidar ? nil : found.compactMap(\.coverage).max()
    let coverage = (most ?? tally.coverage(of: [run.baseline]) ?? 1) - ComparisonObstacle.coverageLoss
    let references = run.scenes.filter { $0.header.truthSize != nil && $0.header.hasLidar }
    let isOfNeighbours =
      !references.isEmpty && references.allSatisfy { $0.header.truthIndependence == .multiview }
    let judged = found.map { method -> RankedMethod in
      var method = method
      method.reason =
        method.framesSolved == 0
        ? .solvedNothing
        : isOfNeighbours && method.ids == [MethodSelection.smoothed.id]
          ? .sameFrames
          : method.withFallback.scenes < scenes
            ? .fewerScenes
            : method.framesSolved < frames
              ? .fewerFrames : (method.coverage ?? 0) < coverage ? .lessCoverage : nil
      return method
    }
    var placed = judged.filter { $0.reason == nil }
    if let first = placed.first,
      let tied = placed.firstIndex(where: {
        $0.isBaseline(of: run) && $0.error - first.error < ComparisonVerdict.noGain * $0.error
      })
    {
      placed.insert(placed.remove(at: tied), at: 0)
    }
    for index in placed.indices { placed[index].place = index + 1 }
    methods = placed + judged.filter { $0.reason != nil }
    best = placed.first?.method
    baselineIsBest = placed.first?.isBaseline(of: run) ?? false
    bestFitted = methods.first { $0.framesSolved > 0 && $0.role.isFitted }?.method
  }

  /// The entry of a method as it was asked for.
  public subscript(_ method: String?) -> RankedMethod? { methods.first { $0.method == method } }
  /// The method that a run is about: that of its one question, else the best.
  public func subject(of contrast: ContrastVerdict?) -> RankedMethod? {
    self[contrast?.comparison.method] ?? self[best]
  }
  /// Methods with a place, from the best on.
  public var placed: [RankedMethod] { methods.filter { $0.place != nil } }

  /// Methods without a place whose error is smaller than the best's.
  public var passedOver: [RankedMethod] {
    guard let best = self[best] else { return [] }
    return unplaced.filter { $0.error < best.error }
  }
  /// Methods without a place that solved frames.
  public var unplaced: [RankedMethod] { methods.filter { $0.place == nil && $0.framesSolved > 0 } }
}

/// A method and what it is worth.
public struct RankedMethod: Codable, Sendable, Equatable {
  /// Why a method has no place.
  public enum Reason: String, Codable, Sendable {
    case solvedNothing = "solved-nothing", fewerScenes = "fewer-scenes"
    /// Only where no LiDAR stands in.
    case fewerFrames = "fewer-frames"
    case lessCoverage = "less-coverage"
    /// It averages the frames that the reference is made of.
    case sameFrames = "same-frames"
  }

  /// As it was asked for: "ols".
  public let method: String
  /// What it is called in the rows: "ols@disparity".
  public let ids: [String]
  public let role: MethodRole
  /// 1 is the best; nil where it has none, see ``reason``.
  public fileprivate(set) var place: Int?
  /// nil where it has a place.
  public fileprivate(set) var reason: Reason?
  /// Frames with an error of its own.
  public let framesSolved: Int
  /// Mean share of the truth that it covers, over the frames that it solved.
  public let coverage: Double?
  /// Against the baseline over all frames, the raw LiDAR standing in where either refused: what the order goes by.
  public let withFallback: ComparisonVerdict
  /// Against the baseline on the frames that both solved; nil where these are all frames, or none.
  public let bothSolved: ComparisonVerdict?
  /// What it is ordered by, metres.
  public var error: Double { withFallback.value }
  /// Frames in which the raw LiDAR stands in.
  public var framesRefused: Int { max(0, withFallback.frames - framesSolved) }
  /// What is said of it: the frames that both solved, where these are not all.
  public var gain: ComparisonVerdict { bothSolved ?? withFallback }

  fileprivate init?(
    _ selection: MethodSelection, _ run: EvaluationRun, _ tally: RunTally, _ column: MetricColumn
  ) {
    let name = selection.description
    guard
      let paired = run.comparison(
        of: selection, against: run.baseline, column: column, form: run.basis.widestForm),
      let withFallback = ComparisonVerdict(selection, paired, run)
    else { return nil }
    (method, ids, role) = (name, run.ids(of: selection), selection.role)
    framesSolved = tally.valued(ids, column)
    coverage = tally.coverage(of: ids)
    self.withFallback = withFallback
    let isWhole = framesSolved == paired.frames && tally.valued([run.baseline], column) == paired.frames
    bothSolved =
      isWhole
      ? nil
      : run.comparison(of: selection, against: run.baseline, column: column, form: .solvedFrames)
        .flatMap { $0.frames == paired.frames ? nil : ComparisonVerdict(selection, $0, run) }
  }

  fileprivate func isBaseline(of run: EvaluationRun) -> Bool { ids.contains(run.baseline) }
}

extension EvaluationRun {
  /// What a selection is called in the run's scenes.
  package func ids(of selection: MethodSelection) -> [String] {
    scenes.map { selection.method(for: $0.relativeKind).id }.firstAppearances
  }
}
