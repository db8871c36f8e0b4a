import DepthCore

/// How much of its frames the truth of a run covers.
public struct TruthShare: Codable, Sendable, Equatable {
  /// Share of a frame's pixels whose truth counts: mean over frames, then scenes.
  public let mean: Double
  /// Of the frame that has least.
  public let least: Double
  /// Whether so much is missing that it is worth a word.
  public var isPartial: Bool { mean < 0.9 }
  /// Whether so few pixels have truth that they say little of a frame.
  public var isThin: Bool { mean < 0.1 }

  /// nil where no truth was counted.
  init?(_ run: EvaluationRun) {
    let sizes = Dictionary(
      run.scenes.map { ($0.name, $0.header.truthSize?.count ?? 0) }, uniquingKeysWith: { first, _ in first })
    let shares = ThinFrames.counts(run).compactMap { scene, counts -> [Double]? in
      guard let size = sizes[scene], size > 0 else { return nil }
      return counts.map { min(1, Double($0) / Double(size)) }
    }
    guard let least = shares.joined().min() else { return nil }
    self.least = least
    mean = shares.reduce(0) { $0 + $1.reduce(0, +) / Double($1.count) } / Double(shares.count)
  }
}

/// Frames with less than half of the median number of truth pixels of their scene: an error of so few pixels is not called the worst.
public struct ThinFrames: Sendable {
  private let least: [String: Double]

  public init(_ run: EvaluationRun) {
    least = Dictionary(
      Self.counts(run).map {
        ($0.scene, (OrderStatistics.quantile(0.5, of: $0.counts.map(Double.init)) ?? 0) / 2)
      },
      uniquingKeysWith: { first, _ in first })
  }

  public func contains(_ record: FrameRecord) -> Bool {
    guard let count = record.truthCount, let least = least[record.scene] else { return false }
    return Double(count) < least
  }

  /// Truth pixels of each frame that has any method's, by scene in the order of the run.
  fileprivate static func counts(_ run: EvaluationRun) -> [(scene: String, counts: [Int])] {
    var found: [(scene: String, counts: [Int])] = []
    for rows in run.frames {
      // The same for all that predicted anything.
      guard let scene = rows.first?.scene, let count = rows.lazy.compactMap(\.truthCount).first else {
        continue
      }
      if found.last?.scene == scene {
        found[found.count - 1].counts.append(count)
      } else {
        found.append((scene, [count]))
      }
    }
    return found
  }
}
