import DepthCore
import Statistics

/// Intervals over scenes of the errors in the bins of breakdowns.
struct BinIntervals: Sendable {
  private struct Key: Hashable {
    let breakdown: String, method: String
    let bin: Int
    let metric: String
  }

  private var intervals: [Key: ConfidenceInterval] = [:]

  init(_ records: [FrameRecord], mode: AggregationMode, _ bootstrap: inout SceneBootstrap) {
    let byMethod = Dictionary(grouping: records, by: \.method)
    for method in records.map(\.method).firstAppearances {
      let rows = byMethod[method] ?? []
      let byScene = Dictionary(grouping: rows, by: \.scene)
      let names = rows.map(\.scene).firstAppearances
      for breakdown in Breakdown.all {
        let bins = Set(rows.flatMap { ($0.breakdowns[breakdown.id] ?? [:]).keys }).sorted()
        for bin in bins {
          let scenes = names.map { name in
            (name, (byScene[name] ?? []).compactMap { $0.breakdowns[breakdown.id]?[bin] })
          }
          add(scenes, breakdown.id, method, bin, mode, &bootstrap)
        }
      }
    }
  }

  private mutating func add(
    _ scenes: [(name: String, frames: [BinScores])], _ breakdown: String, _ method: String, _ bin: Int,
    _ mode: AggregationMode, _ bootstrap: inout SceneBootstrap
  ) {
    for metric in Breakdown.intervalMetrics {
      guard let index = Breakdown.position(of: metric) else { continue }
      let values = SceneValues(
        scenes.map { scene in
          (
            scene.name,
            scene.frames.compactMap { frame in
              mode == .pooled ? frame.pooled(index) : frame.values[index].map { .one($0) }
            }
          )
        }, mode: mode, isRoot: mode == .pooled && metric.pooling?.isRoot == true)
      intervals[Key(breakdown: breakdown, method: method, bin: bin, metric: metric.id)] =
        bootstrap.interval(of: values)
    }
  }

  /// nil for one scene, or where the bin has no value.
  func interval(_ breakdown: String, _ method: String, bin: Int, metric: String) -> ConfidenceInterval? {
    intervals[Key(breakdown: breakdown, method: method, bin: bin, metric: metric)]
  }
}
