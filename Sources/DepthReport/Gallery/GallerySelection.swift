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
    let candidates = Self.candidates(run)
    let most = candidates.map(\.frames).max() ?? 0
    guard most > 0 else { return nil }
    // A method that refused frames is not the most accurate because of it.
    let complete = candidates.filter { $0.frames == most }
    let fitted = complete.filter { $0.selection.role != .sensor }
    let ranked = (fitted.isEmpty ? complete : fitted).map { ($0, $0.mean) }
    guard let best = ranked.min(by: { $0.1 < $1.1 })?.0 else { return nil }
    method = best.selection
    // Where there is no relative map nothing was fused: such frames say nothing about the method.
    let withRelative = Set(run.scenes.filter { $0.header.relativeSize != nil }.map(\.name))
    var scored: [(position: Int, error: Double, isFused: Bool)] = []
    for (position, record) in run.records.enumerated() {
      guard best.ids[record.scene] == record.method, let error = record.value(Self.column) else { continue }
      scored.append((position, error, withRelative.contains(record.scene)))
    }
    // Frames of equal error stay in the order of the data.
    let ordered = scored.sorted { $0.error == $1.error ? $0.position < $1.position : $0.error > $1.error }
    let fused = ordered.filter(\.isFused)
    let picked = Self.picks((fused.isEmpty ? ordered : fused).map(\.position))
    let wanted = Set(picked.map(\.position))
    var records: [Int: FrameRecord] = [:]
    for (position, record) in run.records.enumerated() where wanted.contains(position) {
      records[position] = record
    }
    picks = picked.compactMap { rank, position in
      records[position].map { Pick(rank: rank, record: $0) }
    }
  }

  private static func picks(_ ordered: [Int]) -> [(rank: String, position: Int)] {
    guard ordered.count > 1 else { return ordered.map { ("only frame", $0) } }
    guard ordered.count >= 3 * perRank else {
      return ordered.enumerated().map { index, position in
        let rank = index == 0 ? "worst" : index == ordered.count - 1 ? "best" : "between"
        return (rank, position)
      }
    }
    let middle = ordered.count / 2 - perRank / 2
    let ranks = [
      ("worst", 0..<perRank), ("median", middle..<middle + perRank),
      ("best", ordered.count - perRank..<ordered.count),
    ]
    return ranks.flatMap { rank, range in ordered[range].map { (rank, $0) } }
  }

  /// A selection and the errors of its rows, without the rows.
  private struct Candidate {
    let selection: MethodSelection
    /// The method's id by scene.
    let ids: [String: String]
    var frames = 0
    var scenes: [String: (sum: Double, frames: Int)] = [:]

    /// Frames, then scenes, as all means of a report.
    var mean: Double {
      let means = scenes.values.map { $0.sum / Double($0.frames) }.sorted()
      return means.reduce(0, +) / Double(max(means.count, 1))
    }
  }

  /// The selections that an app could use.
  private static func candidates(_ run: EvaluationRun) -> [Candidate] {
    var candidates = run.plan.methods.filter { $0.role != .oracle }.map { selection in
      Candidate(
        selection: selection,
        ids: Dictionary(
          run.scenes.map { ($0.name, selection.method(for: $0.relativeKind).id) },
          uniquingKeysWith: { first, _ in first }))
    }
    for record in run.records {
      guard let error = record.value(column) else { continue }
      for place in candidates.indices where candidates[place].ids[record.scene] == record.method {
        candidates[place].frames += 1
        let before = candidates[place].scenes[record.scene] ?? (0, 0)
        candidates[place].scenes[record.scene] = (before.sum + error, before.frames + 1)
      }
    }
    return candidates
  }
}
