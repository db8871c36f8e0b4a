import DepthEvaluation
import DepthFusion
public import FathomStatistics

/// Share of the truth pixels whose error is below each limit, averaged like every other number: what `cumulative.csv` shows.
public struct CumulativeErrors: Sendable {
  public let method: String, space: String?, isOracle: Bool
  /// Scenes and frames that have a prediction.
  public let scenes: Int, frames: Int
  /// One per `ErrorCounts.limits`, not falling.
  public let shares: [Double]
  /// 95 %, over scenes; nil for fewer than four scenes.
  public let intervals: [ConfidenceInterval?]

  /// One per method that predicted anything, in order of first appearance.
  /// - Parameter records: Scene by scene.
  static func all(
    _ records: RowStore<FrameRecord>, mode: AggregationMode, _ bootstrap: inout SceneBootstrap
  ) -> [CumulativeErrors] {
    var methods: [String] = []
    var sums: [String: MethodSums] = [:]
    for record in records {
      if sums[record.method] == nil {
        methods.append(record.method)
        sums[record.method] = MethodSums(record)
      }
      if let errors = record.errors { sums[record.method]?.add(errors, of: record.scene, mode) }
    }
    return methods.compactMap { method in
      sums[method].flatMap { CumulativeErrors(method, $0, mode: mode, &bootstrap) }
    }
  }

  private struct MethodSums {
    let space: String?, isOracle: Bool
    var limits = ErrorCounts.limits.map { _ in SceneSums() }
    /// - Parameter first: The method's first row.
    init(_ first: FrameRecord) { (space, isOracle) = (first.space?.rawValue, first.isOracle) }

    mutating func add(_ errors: ErrorCounts, of scene: String, _ mode: AggregationMode) {
      for limit in limits.indices {
        limits[limit].add(mode == .pooled ? errors.pooled(limit) : .one(errors.share(limit)), of: scene)
      }
    }
  }

  /// - Returns: nil where no frame has a prediction.
  private init?(
    _ method: String, _ sums: MethodSums, mode: AggregationMode, _ bootstrap: inout SceneBootstrap
  ) {
    guard let first = sums.limits.first, first.frames > 0 else { return nil }
    var (shares, intervals) = ([Double](), [ConfidenceInterval?]())
    for limit in sums.limits {
      let values = limit.values(mode, possible: 0...1)
      shares.append(values.value(0) ?? .nan)
      intervals.append(bootstrap.interval(of: values))
    }
    self.method = method
    (space, isOracle) = (sums.space, sums.isOracle)
    (scenes, frames) = (first.scenes.count, first.frames)
    (self.shares, self.intervals) = (shares, intervals)
  }
}

extension ErrorCounts {
  fileprivate func pooled(_ limit: Int) -> WeightedSum {
    WeightedSum(sum: Double(below[limit]), weight: Double(truthCount))
  }
}
