import DepthFusion
import FathomStatistics
import Testing

@testable import DepthEvaluation
@testable import DepthVerdicts

@Suite("Share of pixels below an error")
struct CumulativeErrorsTests {
  /// Errors of 5 mm at a share of the pixels, of 1 m at the rest.
  private func record(_ scene: String, _ frame: Int, good: Int, of count: Int) -> FrameRecord {
    var record = FrameRecord(
      scene: scene, frameIndex: frame, frame: "\(frame)", method: "m", space: nil, role: .line,
      fusion: FusionResult(status: .ok), values: [], breakdowns: [:], fusionSeconds: 0)
    record.errors = ErrorCounts(
      below: ErrorCounts.limits.map { $0 > 1 ? count : $0 > 0.005 ? good : 0 }, truthCount: count)
    return record
  }

  @Test("frames, then scenes; frames alike; pixels alike")
  func means() throws {
    let rows = [
      record("a", 0, good: 1, of: 2), record("a", 1, good: 0, of: 2), record("b", 0, good: 4, of: 4),
      record("c", 0, good: 1, of: 2), record("d", 0, good: 0, of: 2),
    ]
    let limit = try #require(ErrorCounts.limits.firstIndex(of: 0.01))
    for (mode, expected) in [
      (AggregationMode.scene, (0.25 + 1 + 0.5 + 0) / 4), (.images, (0.5 + 0 + 1 + 0.5 + 0) / 5),
      (.pooled, 6.0 / 12),
    ] {
      var bootstrap = SceneBootstrap(seed: 3)
      let curve = try #require(CumulativeErrors.all(RowStore(rows), mode: mode, &bootstrap).first)
      #expect(abs(curve.shares[limit] - expected) < 1e-15, "\(mode)")
      #expect(curve.shares[0] == 0 && curve.shares[40] == 1)
      #expect(curve.scenes == 4 && curve.frames == 5)
      let interval = try #require(curve.intervals[limit])
      #expect(interval.low <= expected && interval.high >= expected && interval.low < interval.high)
    }
    var bootstrap = SceneBootstrap(seed: 3)
    let alone = try #require(CumulativeErrors.all(RowStore([rows[0]]), mode: .scene, &bootstrap).first)
    #expect(alone.intervals.allSatisfy { $0 == nil })
  }
}

@Suite("Intervals of bins")
struct BinIntervalTests {
  private func record(_ scene: String, _ value: Double?) -> FrameRecord {
    let scores = BinScores(pixels: 10, values: Breakdown.metrics.map { _ in value })
    return FrameRecord(
      scene: scene, frameIndex: 0, frame: "0", method: "m", space: nil, role: .line,
      fusion: FusionResult(status: .ok), values: [], breakdowns: [Breakdown.range.id: [2: scores]],
      fusionSeconds: 0)
  }

  private func interval(_ values: [Double?], metric: Metric = .mae) -> ConfidenceInterval? {
    let records = values.enumerated().map { record("scene \($0)", $1) }
    return RunStatistics(
      records, references: ["m"], basis: ComparisonBasis(support: .measured, standIn: "m"), seed: 5,
      mode: .scene
    )
    .interval(of: "m", in: .range, bin: 2, metric: metric)
  }

  @Test("that of the scenes that have the bin, by the run's bootstrap")
  func ofScenes() throws {
    var bootstrap = SceneBootstrap(seed: 5)
    let expected = bootstrap.interval(
      ofMean: [1, 2, 4, 3], scenes: ["scene 0", "scene 1", "scene 3", "scene 4"], possible: 0 ... .infinity)
    #expect(interval([1, 2, nil, 4, 3]) == expected && expected != nil)
    #expect(interval([1, 2, nil, 4, 3], metric: .absRel) == expected)
  }

  @Test("none for three scenes, and for metrics without intervals")
  func none() {
    #expect(interval([1, nil, 2, 3]) == nil)
    #expect(interval([1, 2, 3, 4], metric: .rmse) == nil)
  }
}
