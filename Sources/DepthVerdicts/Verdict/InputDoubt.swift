import DepthEvaluation
import DepthFusion

/// Why the results of a run are more likely those of a wrong input than of a method.
public enum InputDoubt: String, Codable, Sendable, Equatable, CaseIterable {
  /// The best method's mean relative error is above 1: on average its error is larger than the depth itself.
  case errorsAboveDepth = "errors-above-depth"
  /// The baseline, or a network, has no error at all: truth and input hold the same numbers.
  case baselineWithoutError = "baseline-without-error"
  /// There is truth, but none of it counts: all lies outside of the range.
  case truthOutsideRange = "truth-outside-range"
  private static let mostRelativeError = 1.0  // No method has a mean relative error above this.

  /// - Returns: nil where nothing is doubtful, so that there is no key.
  static func all(_ run: EvaluationRun, _ data: DataVerdict, _ ranking: RankingVerdict) -> [InputDoubt]? {
    guard data.scored > 0 else { return nil }
    var doubts: [InputDoubt] = []
    let errors = run.aggregation.summary.filter { !$0.isOracle }.compactMap { $0.value(.absRel) }
    if let best = errors.min(), best > mostRelativeError { doubts.append(.errorsAboveDepth) }
    if faultless(ranking, run.baseline) != nil { doubts.append(.baselineWithoutError) }
    // A map without a single depth has an error nowhere, but covers a share of the truth that counts: none.
    func isSolved(_ record: FrameRecord) -> Bool { record.fusion.status == .ok }
    if errors.isEmpty, run.records.contains(where: isSolved),
      run.records.allSatisfy({ !isSolved($0) || $0.value(.coverage) == nil })
    {
      doubts.append(.truthOutsideRange)
    }
    return doubts.isEmpty ? nil : doubts
  }

  /// The baseline, or else a network, that has no error at all; nil where none is so good.
  public static func faultless(_ ranking: RankingVerdict, _ baseline: String) -> RankedMethod? {
    let found = ranking.methods.filter { $0.framesSolved > 0 && $0.error == 0 }
    return found.first { $0.ids.contains(baseline) } ?? found.first { $0.role == .stored }
  }
}
