import DepthCore
public import DepthEvaluation
public import DepthFusion

/// The frames of a run that are worth looking at: where the best of its methods that fit is worst, typical and best.
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
  ///
  /// - Parameter ranking: The run's: the best of its methods that fit is shown; without one, the best.
  public init?(_ run: EvaluationRun, _ ranking: RankingVerdict) {
    let shown = ranking.bestFitted ?? ranking.best
    guard let selection = run.plan.methods.first(where: { $0.description == shown }) else { return nil }
    method = selection
    let ids = Dictionary(
      run.scenes.map { ($0.name, selection.method(for: $0.relativeKind).id) },
      uniquingKeysWith: { first, _ in first })
    // Where there is no relative map nothing was fused: such frames say nothing about the method.
    let withRelative = Set(run.scenes.filter { $0.header.relativeSize != nil }.map(\.name))
    var scored: [(position: Int, error: Double, isFused: Bool)] = []
    for (position, record) in run.records.enumerated() {
      guard ids[record.scene] == record.method, let error = record.value(Self.column) else { continue }
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
}
