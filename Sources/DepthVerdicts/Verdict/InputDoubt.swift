import DepthEvaluation
import DepthFusion

/// Why the results of a run are more likely those of a wrong input than of a method.
public enum InputDoubt: String, Codable, Sendable, Equatable, CaseIterable {
  /// The best method's mean relative error is above 1: on average its error is larger than the depth itself.
  case errorsAboveDepth = "errors-above-depth"
  /// The baseline, or a network, has no error to speak of: truth and input hold the same numbers, perhaps enlarged.
  case baselineWithoutError = "baseline-without-error"
  /// There is truth, but none of it counts: all lies outside of the range.
  case truthOutsideRange = "truth-outside-range"
  /// Scenes have the errors of others, to the last digit: they are copies, and count several times.
  case copiedScenes = "copied-scenes"
  /// Fewer copies change nothing, and scenes of few pixels may have the same errors by chance.
  private static let (leastCopies, fewestPixels) = (0.05, 100)
  private static let mostRelativeError = 1.0  // No method has a mean relative error above this.

  /// - Returns: nil where nothing is doubtful, so that there is no key.
  static func all(_ run: EvaluationRun, _ data: DataVerdict, _ ranking: RankingVerdict) -> [InputDoubt]? {
    guard data.scored > 0 else { return nil }
    var doubts: [InputDoubt] = []
    let errors = run.aggregation.summary.filter { !$0.isOracle }.compactMap { $0.value(.absRel) }
    if let best = errors.min(), best > mostRelativeError { doubts.append(.errorsAboveDepth) }
    if faultless(ranking, run.baseline) != nil { doubts.append(.baselineWithoutError) }
    let copies = copies(run).map { $0.count - 1 }.reduce(0, +)
    if copies > 0, Double(copies) >= leastCopies * Double(data.scored) { doubts.append(.copiedScenes) }
    // A map without a single depth has an error nowhere, but covers a share of the truth that counts: none.
    func isSolved(_ record: FrameRecord) -> Bool { record.fusion.status == .ok }
    if errors.isEmpty, run.records.contains(where: isSolved),
      run.records.allSatisfy({ !isSolved($0) || $0.value(.coverage) == nil })
    {
      doubts.append(.truthOutsideRange)
    }
    return doubts.isEmpty ? nil : doubts
  }

  /// Scenes with the same errors of all methods in all frames, in groups.
  public static func copies(_ run: EvaluationRun) -> [[String]] {
    var (signatures, scenes, hasErrors): ([String: [UInt64]], [String], Set<String>) = ([:], [], [])
    for record in run.records {
      guard let error = record.value(.mae), let square = record.value(.rmse), error > 0,
        record.truthCount.map({ $0 >= fewestPixels }) ?? false
      else {
        // What has no error says nothing, but tells scenes apart.
        signatures[record.scene, default: []].append(UInt64(record.fusion.status == .ok ? 1 : 0))
        continue
      }
      hasErrors.insert(record.scene)
      signatures[record.scene, default: []] += [error.bitPattern, square.bitPattern]
    }
    scenes = run.scenes.map(\.name).filter(hasErrors.contains)
    return Dictionary(grouping: scenes) { signatures[$0] ?? [] }.values.filter { $0.count > 1 }
      .sorted { $0[0] < $1[0] }
  }

  /// The largest error of a method that has none to speak of, metres.
  private static let none = 1e-6

  /// The baseline, or else a network, that has no error to speak of; nil where none is so good.
  public static func faultless(_ ranking: RankingVerdict, _ baseline: String) -> RankedMethod? {
    let found = ranking.methods.filter { $0.framesSolved > 0 && $0.error < none }
    return found.first { $0.ids.contains(baseline) } ?? found.first { $0.role == .stored }
  }
}
