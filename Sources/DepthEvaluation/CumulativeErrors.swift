import DepthCore
import DepthFusion
public import Statistics

/// Share of the truth pixels whose error is below each limit, averaged like every other number: what
/// `cumulative.csv` shows.
public struct CumulativeErrors: Sendable {
  public let method: String
  public let space: String?
  public let isOracle: Bool
  /// Scenes and frames that have a prediction.
  public let scenes: Int, frames: Int
  /// One per ``ErrorCounts/limits``, not falling.
  public let shares: [Double]
  /// 95 %, over scenes; nil for one scene.
  public let intervals: [ConfidenceInterval?]

  /// One per method that predicted anything, in order of first appearance.
  static func all(
    _ records: [FrameRecord], mode: AggregationMode, _ bootstrap: inout SceneBootstrap
  ) -> [CumulativeErrors] {
    let byMethod = Dictionary(grouping: records, by: \.method)
    return records.map(\.method).firstAppearances.compactMap { method in
      CumulativeErrors(method, byMethod[method] ?? [], mode: mode, &bootstrap)
    }
  }

  /// - Parameter records: One method's rows.
  /// - Returns: nil where no frame has a prediction.
  private init?(
    _ method: String, _ records: [FrameRecord], mode: AggregationMode, _ bootstrap: inout SceneBootstrap
  ) {
    let byScene = Dictionary(grouping: records, by: \.scene)
    let scenes = records.map(\.scene).firstAppearances.map { name in
      (name: name, frames: (byScene[name] ?? []).compactMap(\.errors))
    }.filter { !$0.frames.isEmpty }
    guard let first = records.first, !scenes.isEmpty else { return nil }
    var (shares, intervals) = ([Double](), [ConfidenceInterval?]())
    for limit in ErrorCounts.limits.indices {
      let values = SceneValues(
        scenes.map { scene in
          (scene.name, scene.frames.map { mode == .pooled ? $0.pooled(limit) : .one($0.share(limit)) })
        }, mode: mode)
      shares.append(values.value(0) ?? .nan)
      intervals.append(bootstrap.interval(of: values))
    }
    self.method = method
    (space, isOracle) = (first.space?.rawValue, first.isOracle)
    (self.scenes, frames) = (scenes.count, scenes.reduce(0) { $0 + $1.frames.count })
    (self.shares, self.intervals) = (shares, intervals)
  }
}

extension ErrorCounts {
  fileprivate func pooled(_ limit: Int) -> WeightedSum {
    WeightedSum(sum: Double(below[limit]), weight: Double(truthCount))
  }
}
