import DepthCore
import DepthFusion
import FathomStatistics
import Testing

@testable import DepthEvaluation

@Suite("Share of pixels below an error")
struct CumulativeErrorsTests {
  @Test("the limits are decimals from 1 mm to 10 m, ten to a decade")
  func limits() {
    let limits = ErrorCounts.limits
    #expect(limits.count == 41 && limits.first == 0.001 && limits.last == 10)
    #expect([0.00125, 0.0315, 0.1, 0.63, 2.5].allSatisfy(limits.contains))
    #expect(zip(limits, limits.dropFirst()).allSatisfy { $1 / $0 > 1.2 && $1 / $0 < 1.3 })
  }

  @Test("counts what is strictly below each limit, as a search does", arguments: [UInt64(1), 2, 3])
  func counts(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var errors = (0..<5000).map { _ in pow10(Double.random(in: -5...2, using: &generator)) }
    // Limits themselves and their neighbours, zero, and what is beyond all.
    errors += ErrorCounts.limits + ErrorCounts.limits.map(\.nextDown) + ErrorCounts.limits.map(\.nextUp)
    errors += [0, .leastNonzeroMagnitude, 1e9]
    let predicted = errors.map { $0 + 1 }
    let found = try #require(
      PassFixture(predicted, reference: errors.map { _ in 1 }).scores.errors)
    let present = predicted.map { $0 - 1 }
    #expect(found.truthCount == errors.count)
    for (index, limit) in ErrorCounts.limits.enumerated() {
      let expected = present.count { $0 < limit }
      #expect(found.below[index] == expected, "\(limit)")
    }
  }

  private func pow10(_ exponent: Double) -> Double {
    var value = 1.0
    // Exactness does not matter, spread does.
    for _ in 0..<Int(abs(exponent) * 20) { value *= exponent < 0 ? 0.891_250_938 : 1.122_018_454 }
    return value
  }

  @Test("a missing prediction is below no limit; without predictions there is no share")
  func missing() throws {
    let counts = try #require(
      PassFixture([1, .nan, -1, 1.5], reference: [1, 1, 1, 1]).scores.errors)
    #expect(counts.share(0) == 0.25 && counts.share(40) == 0.5)
    #expect(PassFixture([.nan], reference: [1]).scores.errors == nil)
  }

  /// Errors of 5 mm at a share of the pixels, of 1 m at the rest.
  private func record(_ scene: String, _ frame: Int, good: Int, of count: Int) -> FrameRecord {
    var record = FrameRecord(
      scene: scene, frameIndex: frame, frame: "\(frame)", method: "m", space: nil, role: .line,
      fusion: FusionResult(status: .ok), values: [], breakdowns: [:], fusionSeconds: 0)
    record.errors =
      PassFixture((0..<count).map { $0 < good ? 1.005 : 2 }, reference: Array(repeating: 1, count: count))
      .scores.errors
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
