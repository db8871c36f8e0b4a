public import DepthFusion

/// The best method of a run on the pixels that the LiDAR measures, by one rule.
///
/// Methods are ranked over all scored frames of all scenes by ``MetricColumn/maeMeasured``, the raw LiDAR standing in where a
/// method refused or did not run, so that every method answers for the same pixels. A method that covers fewer scenes, or less of
/// the truth than the baseline, is not ranked: leaving out what is difficult is no gain. Oracles are not ranked.
public struct BestMethod: Sendable {
  /// A method and what it is worth.
  public struct Entry: Sendable {
    public let selection: MethodSelection
    /// Against the run's baseline.
    public let comparison: PairedComparison
    /// Mean share of the truth that the method covers, over the frames that it solved.
    public let coverage: Double?
    /// Frames that it solved and that could be scored on measured pixels.
    public let solvedFrames: Int
  }

  public let entry: Entry
  /// Whether no method beats the baseline.
  public let isBaseline: Bool
  /// Methods with a smaller error that are not ranked.
  public let unranked: [Entry]
  /// The best of those that fit something; nil where none solved a frame.
  public let fitted: Entry?

  /// A relative difference below this is none: it would be printed as 0.0 %.
  package static let noGain = 0.0005
  /// A method that covers less of the truth than the baseline, by more than this share, is not ranked.
  private static let leastCoverageLoss = 0.01

  /// nil where nothing could be scored.
  init?(_ run: EvaluationRun) {
    let ranked = run.plan.methods.filter { $0.role != .oracle }.compactMap { selection in
      run.comparison(of: selection, against: run.baseline, column: .maeMeasured, form: .fallback).map {
        Entry(
          selection: selection, comparison: $0, coverage: run.coverage(of: run.ids(of: selection)),
          solvedFrames: run.solvedFrames(of: selection))
      }
    }.sorted { first, second in
      // Where LiDAR and truth share their pixels, the nearest and the bilinear map are one: a tie beats nobody.
      let (a, b) = (first.comparison.value, second.comparison.value)
      return a == b ? run.isBaseline(first.selection) && !run.isBaseline(second.selection) : a < b
    }
    let present = ranked.filter { $0.solvedFrames > 0 }
    // All answer for the same scenes, and for as many of their pixels as the baseline.
    let scenes = present.map(\.comparison.scenes).max() ?? 0
    let needed = (run.coverage(of: [run.baseline]) ?? 1) - Self.leastCoverageLoss
    func isRanked(_ entry: Entry) -> Bool {
      entry.comparison.scenes == scenes && (entry.coverage ?? 0) >= needed
    }
    guard let first = present.first(where: isRanked) else { return nil }
    // What rounds to a gain of 0.0 % is none.
    let reference = present.first {
      isRanked($0) && run.isBaseline($0.selection)
        && $0.comparison.value - first.comparison.value < Self.noGain * $0.comparison.value
    }
    entry = reference ?? first
    isBaseline = run.isBaseline(entry.selection)
    unranked = present.filter { !isRanked($0) && $0.comparison.value < first.comparison.value }
    fitted = present.first { $0.selection.role.isFitted }
  }
}

extension EvaluationRun {
  /// The best method on the pixels that the LiDAR measures; nil where nothing could be scored.
  public var bestMethod: BestMethod? { BestMethod(self) }

  /// What a selection is called in the run's scenes.
  package func ids(of selection: MethodSelection) -> Set<String> {
    Set(scenes.map { selection.method(for: $0.relativeKind).id })
  }

  /// Mean coverage over the frames that methods of these ids solved.
  package func coverage(of ids: Set<String>) -> Double? {
    let values = records.filter { ids.contains($0.method) }.compactMap { $0.value(.coverage) }
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// Frames that a method solved and that could be scored on measured pixels.
  package func solvedFrames(of selection: MethodSelection) -> Int {
    let ids = ids(of: selection)
    return records.count { ids.contains($0.method) && $0.value(.maeMeasured) != nil }
  }

  fileprivate func isBaseline(_ selection: MethodSelection) -> Bool {
    scenes.contains { selection.method(for: $0.relativeKind).id == baseline }
  }
}
