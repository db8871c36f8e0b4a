import DepthCore
public import DepthEvaluation
public import DepthFusion
public import DepthVerdicts
import FathomRunFolders

/// The frames of a run that are worth looking at: where the method that it asks about is worst, typical and best.
public struct GallerySelection: Sendable {
  /// A frame and why it is shown.
  public struct Pick: Sendable {
    /// "worst", "median", "best".
    public let rank: String
    /// The method's row of the frame.
    public let record: FrameRecord
    /// Of the frame in the run, from 1.
    public let number: Int
  }

  /// Whose maps are shown.
  public let method: MethodSelection
  /// From the worst to the best, each frame once.
  public let picks: [Pick]
  /// Frames of the worst one's scene, in their order and spread evenly.
  public let scene: [Pick]
  /// Most frames of ``scene``.
  private static let mostOfScene = 8
  static let column = MetricColumn.absRel  // What frames are ordered by.

  /// nil where no frame was scored.
  /// - Parameter verdict: The run's, which says whose maps are shown.
  /// - Parameter count: Frames of each rank.
  public init?(_ run: EvaluationRun, _ verdict: RunVerdict, count: Int = standardCount) {
    guard let selection = Self.method(of: run, verdict) else { return nil }
    method = selection
    let ids = Dictionary(
      run.scenes.map { ($0.name, selection.method(for: $0.relativeKind).id) },
      uniquingKeysWith: { first, _ in first })
    // Where there is no relative map nothing was fused: such frames say nothing about a method that fuses.
    let withRelative = Set(
      run.scenes.filter { $0.header.relativeSize != nil || selection.role == .stored }.map(\.name))
    func row(_ rows: [FrameRecord]) -> FrameRecord? { rows.first { $0.method == ids[$0.scene] } }
    var scored: [(place: Int, scene: String, index: Int, error: Double, pixels: Int?, isFused: Bool)] = []
    for (place, rows) in run.frames.enumerated() {
      guard let record = row(rows), let error = record.value(Self.column) else { continue }
      scored.append(
        (
          place, record.scene, record.frameIndex, error, record.truthCount,
          withRelative.contains(record.scene)
        ))
    }
    let fewest = Dictionary(grouping: scored, by: \.scene).mapValues { frames in
      TruthOfScene.fewest(frames.compactMap(\.pixels))
    }
    scored.removeAll { frame in
      frame.pixels.map { Double($0) < fewest[frame.scene] ?? 0 } ?? false
    }
    // Frames of equal error stay in the order of the data.
    let ordered = scored.sorted { $0.error == $1.error ? $0.place < $1.place : $0.error > $1.error }
    let fused = ordered.filter(\.isFused)
    let candidates = fused.isEmpty ? ordered : fused
    let picked = Self.picks(candidates.map(\.scene), indices: candidates.map(\.index), count: count).map {
      ($0.rank, candidates[$0.place].place)
    }
    let places = candidates.filter { $0.scene == candidates.first?.scene }.map(\.place).sorted()
    let parts = min(places.count, Self.mostOfScene)
    let ofScene = (0..<parts).map { places[$0 * places.count / parts] }
    let wanted = Set(picked.map(\.1) + ofScene)
    var records: [Int: FrameRecord] = [:]
    for (place, rows) in run.frames.enumerated() where wanted.contains(place) { records[place] = row(rows) }
    picks = picked.compactMap { rank, place in
      records[place].map { Pick(rank: rank, record: $0, number: place + 1) }
    }
    scene = ofScene.compactMap { place in
      records[place].map { Pick(rank: "", record: $0, number: place + 1) }
    }
  }

  /// Whose maps are shown, as it was asked for: the method of the run's question where somebody declared it, or it is a network's
  /// map; else the best of the methods that fit; without one, the best.
  static func subject(of verdict: RunVerdict) -> String? {
    let ranking = verdict.ranking
    if let contrast = verdict.contrast, let method = ranking[contrast.comparison.method],
      contrast.isDeclared || method.role == .stored, method.framesSolved > 0
    {
      return method.method
    }
    return ranking.bestFitted ?? ranking.best
  }

  static func method(of run: EvaluationRun, _ verdict: RunVerdict) -> MethodSelection? {
    let shown = subject(of: verdict)
    return run.plan.methods.first { $0.description == shown }
  }

  /// Frames of each rank by default.
  public static let standardCount = 2

  /// The worst, the median and the best, each of another scene as long as there are some that have not been shown, and not adjacent to
  /// one of its rank as long as there are others: adjacent frames of one scene look alike.
  /// - Parameter ordered: Scenes of the frames, from the worst frame to the best.
  /// - Parameter indices: Of the frames in their scenes; empty where none are adjacent.
  /// - Parameter count: Frames of each rank.
  /// - Returns: Places in `ordered`, ascending, each once.
  static func picks(_ ordered: [String], indices: [Int] = [], count: Int) -> [(rank: String, place: Int)] {
    guard ordered.count > 1, count > 0 else {
      return count > 0 ? ordered.indices.map { ("only frame", $0) } : []
    }
    guard ordered.count >= 3 * count else {
      return ordered.indices.map { place in
        (place == 0 ? "worst" : place == ordered.count - 1 ? "best" : "between", place)
      }
    }
    let places = Array(ordered.indices)
    let middle = Double(ordered.count - 1) / 2
    let orders = [
      ("worst", places), ("best", places.reversed()),
      // Outwards from the middle.
      ("median", places.sorted { (abs(Double($0) - middle), $0) < (abs(Double($1) - middle), $1) }),
    ]
    var (taken, shown) = (Set<Int>(), [String: Int]())
    var inRank: [String: [String: Int]] = [:]
    var picked: [(rank: String, place: Int)] = []
    // In turns, so that no rank takes the scenes of the others.
    for round in 0..<count {
      for (rank, order) in orders {
        let free = order.filter { !taken.contains($0) }
        // The first one is near its rank, the others lie on its side: what is called worst must not be a good frame.
        let candidates = free.prefix(max(1, free.count / (round == 0 ? 3 : 2)))
        func isAdjacent(_ place: Int) -> Bool {
          !indices.isEmpty
            && picked.contains { other in
              other.rank == rank && ordered[other.place] == ordered[place]
                && abs(indices[other.place] - indices[place]) < 2
            }
        }
        func use(_ place: Int) -> (Int, Int, Int) {
          (inRank[rank]?[ordered[place]] ?? 0, isAdjacent(place) ? 1 : 0, shown[ordered[place]] ?? 0)
        }
        guard let least = candidates.map(use).min(by: <),
          let place = candidates.first(where: { use($0) == least })
        else { continue }
        taken.insert(place)
        shown[ordered[place], default: 0] += 1
        inRank[rank, default: [:]][ordered[place], default: 0] += 1
        picked.append((rank, place))
      }
    }
    return picked.sorted { $0.place < $1.place }
  }
}
