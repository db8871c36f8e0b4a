import DepthEvaluation
import FathomStatistics

/// Intervals over scenes of the errors in the bins of breakdowns.
struct BinIntervals: Sendable {
  private struct Key: Hashable { let breakdown: String, method: String, bin: Int, metric: String }
  private var intervals: [Key: ConfidenceInterval] = [:]

  /// - Parameter records: Scene by scene.
  init(_ records: RowStore<FrameRecord>, mode: AggregationMode, _ bootstrap: inout SceneBootstrap) {
    let metrics = Breakdown.intervalMetrics.compactMap { metric in
      Breakdown.position(of: metric).map { (metric: metric, index: $0) }
    }
    var sums: [Key: SceneSums] = [:]
    for record in records {
      for (breakdown, bins) in record.breakdowns {
        for (bin, scores) in bins {
          for (metric, index) in metrics {
            guard let part = mode == .pooled ? scores.pooled(index) : scores.values[index].map({ .one($0) })
            else { continue }
            let key = Key(breakdown: breakdown, method: record.method, bin: bin, metric: metric.id)
            sums[key, default: SceneSums()].add(part, of: record.scene)
          }
        }
      }
    }
    let asked = Dictionary(uniqueKeysWithValues: metrics.map { ($0.metric.id, $0.metric) })
    // Bins with the same scenes come together: they share resamples, and few sets of these are kept.
    for shared in Dictionary(grouping: sums, by: { $0.value.scenes }).values {
      for (key, sums) in shared {
        guard let metric = asked[key.metric] else { continue }
        let isRoot = mode == .pooled && metric.pooling?.isRoot == true
        intervals[key] = bootstrap.interval(of: sums.values(mode, isRoot: isRoot, possible: metric.possible))
      }
    }
  }

  /// nil for fewer than four scenes, or where the bin has no value.
  func interval(_ breakdown: String, _ method: String, bin: Int, metric: String) -> ConfidenceInterval? {
    intervals[Key(breakdown: breakdown, method: method, bin: bin, metric: metric)]
  }
}
