import DepthCore
public import DepthEvaluation
public import DepthFusion

/// The frames of a run that are worth looking at: where its most accurate fitted method is worst, typical and best.
public struct GallerySelection: Sendable {
  /// A frame and why it is shown.
  public struct Pick: Sendable {
    /// "worst", "median", "best".
    public let rank: String
    /// The method's row of the frame.
    public let record: FrameRecord
  }

  /// Whose maps are shown.
  public let method: MethodSelection
  /// From the worst to the best, each frame once.
  public let picks: [Pick]

  /// What frames are ordered by.
  static let column = MetricColumn.absRel
  /// Frames of each rank.
  private static let perRank = 2

  /// nil where no frame was scored.
  public init?(_ run: EvaluationRun) {
    let candidates = run.plan.methods.filter { $0.role != .oracle }.map { selection in
      (selection: selection, records: Self.scored(selection, run))
    }
    let most = candidates.map(\.records.count).max() ?? 0
    guard most > 0 else { return nil }
    // A method that refused frames is not the most accurate because of it.
    let complete = candidates.filter { $0.records.count == most }
    let fitted = complete.filter { $0.selection.role != .sensor }
    let ranked = (fitted.isEmpty ? complete : fitted).map { entry in
      (entry, Self.mean(entry.records))
    }
    guard let best = ranked.min(by: { $0.1 < $1.1 })?.0 else { return nil }
    method = best.selection
    // Frames of equal error stay in the order of the data.
    let ordered = best.records.enumerated().sorted { first, second in
      let (a, b) = (Self.error(first.element), Self.error(second.element))
      return a == b ? first.offset < second.offset : a > b
    }.map(\.element)
    // Where there is no relative map nothing was fused: such frames say nothing about the method.
    let withRelative = Set(run.scenes.filter { $0.header.relativeSize != nil }.map(\.name))
    let fused = ordered.filter { withRelative.contains($0.scene) }
    picks = Self.picks(fused.isEmpty ? ordered : fused)
  }

  private static func picks(_ ordered: [FrameRecord]) -> [Pick] {
    guard ordered.count > 1 else { return ordered.map { Pick(rank: "only frame", record: $0) } }
    guard ordered.count >= 3 * perRank else {
      return ordered.enumerated().map { index, record in
        let rank = index == 0 ? "worst" : index == ordered.count - 1 ? "best" : "between"
        return Pick(rank: rank, record: record)
      }
    }
    let middle = ordered.count / 2 - perRank / 2
    let ranks = [
      ("worst", 0..<perRank), ("median", middle..<middle + perRank),
      ("best", ordered.count - perRank..<ordered.count),
    ]
    return ranks.flatMap { rank, range in ordered[range].map { Pick(rank: rank, record: $0) } }
  }

  /// Rows of a selection that have an error.
  private static func scored(_ selection: MethodSelection, _ run: EvaluationRun) -> [FrameRecord] {
    let ids = Dictionary(
      run.scenes.map { ($0.name, selection.method(for: $0.relativeKind).id) },
      uniquingKeysWith: { first, _ in first })
    return run.records.filter { ids[$0.scene] == $0.method && $0.value(column) != nil }
  }

  private static func error(_ record: FrameRecord) -> Double { record.value(column) ?? 0 }

  /// Frames, then scenes, as all means of a report.
  private static func mean(_ records: [FrameRecord]) -> Double {
    let scenes = Dictionary(grouping: records, by: \.scene).values.map { rows in
      rows.reduce(0) { $0 + error($1) } / Double(rows.count)
    }.sorted()
    return scenes.reduce(0, +) / Double(max(scenes.count, 1))
  }
}
