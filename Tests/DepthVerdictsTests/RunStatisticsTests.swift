import DepthCore
import DepthFusion
import Foundation
import FathomStatistics
import Testing

@testable import DepthEvaluation
@testable import DepthVerdicts

/// A record whose every column has one value, or none.
private func record(_ scene: Int, _ frame: Int, _ method: String, _ value: Double?) -> FrameRecord {
  FrameRecord(
    scene: "room-\(scene)", frameIndex: frame, frame: "\(frame)", method: method, space: nil,
    role: method == "oracle" ? .oracle : .line,
    fusion: FusionResult(status: value == nil ? .rejectedScale : .ok),
    values: value.map { Array(repeating: $0, count: MetricColumn.all.count) } ?? [], breakdowns: [:],
    fusionSeconds: 0)
}

extension RunStatistics {
  /// All parts, one after the other.
  init(
    _ records: [FrameRecord], references: [String], basis: ComparisonBasis, seed: UInt64,
    mode: AggregationMode
  ) {
    var bootstrap = SceneBootstrap(seed: seed)
    let rows = RowStore(records)
    self.init(
      Self.compared(rows, references: references, basis: basis, mode: mode, bootstrap),
      CumulativeErrors.all(rows, mode: mode, &bootstrap), BinIntervals(rows, mode: mode, &bootstrap))
  }
}

private func statistics(_ records: [FrameRecord], mode: AggregationMode = .scene) -> RunStatistics {
  RunStatistics(
    records, references: ["raw", "spec"], basis: ComparisonBasis(support: .measured, standIn: "raw"), seed: 4,
    mode: mode)
}

@Suite("Statistics of a run")
struct RunStatisticsTests {
  /// Six scenes of two frames; `good` is better everywhere, `picky` refuses every second frame.
  private let records = (0..<6).flatMap { scene in
    (0..<2).flatMap { frame in
      let raw = 1 + Double(scene) / 10
      return [
        record(scene, frame, "raw", raw), record(scene, frame, "spec", nil),
        record(scene, frame, "good", raw - 0.2 - Double(scene) / 100),
        record(scene, frame, "picky", frame == 0 ? raw - 0.3 : nil), record(scene, frame, "oracle", raw / 2),
      ]
    }
  }

  @Test("a method that refuses is compared twice; p is Holm's over the comparisons with the baseline")
  func comparisons() throws {
    let found = statistics(records)
    let solved = try #require(
      found.comparison(of: "picky", against: "raw", column: .maeMeasured, form: .solvedFrames))
    let fallback = try #require(
      found.comparison(of: "picky", against: "raw", column: .maeMeasured, form: .fallback))
    #expect(solved.frames == 6 && fallback.frames == 12 && solved.scenes == 6)
    #expect(abs(solved.difference + 0.3) < 1e-12 && abs(fallback.difference + 0.15) < 1e-12)
    // spec solved nothing: three comparisons on solved frames, four with the fallback.
    #expect(solved.familySize == 3 && fallback.familySize == 4)
    #expect(solved.test?.pValue == 1.0 / 32 && solved.adjustedP == 3.0 / 32)
    #expect(solved.smallestAttainableP == 3.0 / 32 && fallback.smallestAttainableP == 4.0 / 32)
    #expect(solved.isSignificant == false)
    let spec = try #require(
      found.comparison(of: "spec", against: "raw", column: .maeMeasured, form: .fallback))
    #expect(spec.interval?.low == 0 && spec.interval?.high == 0 && spec.test?.pValue == 1)
    #expect(spec.smallestAttainableP == 1)
    #expect(
      found.comparison(of: "spec", against: "raw", column: .maeMeasured, form: .solvedFrames) == nil)
  }

  @Test("without a stand-in there is one form, on the frames that both solved, over all truth")
  func withoutStandIn() throws {
    let found = RunStatistics(records, references: ["raw"], basis: .maps, seed: 4, mode: .scene)
    #expect(Set(found.pairs.map(\.form)) == [.solvedFrames])
    #expect(found.pairs.map(\.column).firstAppearances == [.mae, .absRel])
    let picky = try #require(
      found.comparison(of: "picky", against: "raw", column: .mae, form: .solvedFrames))
    #expect(picky.frames == 6 && picky.adjustedP != nil)
    // spec solved nothing, and nothing replaces it.
    #expect(found.rankings.first?.column == .mae && found.rankings.first?.leftOut == ["spec"])
  }

  @Test("every pair, and the same interval with the sign changed")
  func pairs() throws {
    let found = statistics(records)
    #expect(found.pairs.count == 10 * 2 * 2)
    let pair = try #require(
      found.pairs.first { $0.first == "raw" && $0.second == "good" && $0.form == .solvedFrames })
    let mirrored = try #require(
      found.comparison(of: "good", against: "raw", column: pair.column, form: .solvedFrames))
    #expect(pair.comparison?.difference == -mirrored.difference)
    let (one, other) = (try #require(pair.comparison?.interval), try #require(mirrored.interval))
    #expect(abs(one.low + other.high) < 1e-12 && abs(one.high + other.low) < 1e-12)
    #expect(one.low > 0 && other.high < 0)
    #expect(found.pairs.contains { $0.comparison == nil && $0.second == "spec" })
  }

  @Test("ranks leave out oracles and methods that solved nothing")
  func ranks() throws {
    let ranking = try #require(statistics(records).rankings.first)
    #expect(ranking.column == .maeMeasured)
    #expect(ranking.methods == ["raw", "good", "picky"] && ranking.leftOut == ["spec"])
    #expect(ranking.ordered.first?.method == "good" && ranking.test.scenes == 6)
    #expect(statistics(records.filter { $0.scene != "room-0" && $0.scene != "room-1" }).rankings.isEmpty)
  }

  @Test("one scene: values only")
  func oneScene() throws {
    let found = statistics(records.filter { $0.scene == "room-0" })
    let comparison = try #require(
      found.comparison(of: "good", against: "raw", column: .maeMeasured, form: .solvedFrames))
    #expect(comparison.interval == nil && comparison.test == nil && comparison.adjustedP == nil)
    #expect(found.interval(of: "good", column: .mae) == nil && found.rankings.isEmpty)
  }

  @Test("the fallback form takes only frames in which both methods ran")
  func differentForms() {
    var mixed = records
    mixed += (0..<2).map { record(0, $0, "ols@depth", 0.7) }
    let comparison = statistics(mixed).comparison(
      of: "good", against: "ols@depth", column: .maeMeasured, form: .fallback)
    #expect(comparison?.scenes == 1 && comparison?.frames == 2)
  }

  @Test("ten methods and twelve scenes take well under two seconds")
  func speed() {
    let many = (0..<12).flatMap { scene in
      (0..<10).map { record(scene, 0, $0 == 0 ? "raw" : "m\($0)", 1 + sin(Double(scene * 7 + $0 * 3))) }
    }
    let start = ContinuousClock.now
    let found = statistics(many)
    #expect(found.pairs.count == 45 * 4)
    #if !DEBUG
      #expect(ContinuousClock.now - start < .seconds(2))
    #endif
    _ = start
  }
}

@Suite("Pooling over pixels")
struct PoolingTests {
  @Test("pooled values of frames are those of all their pixels")
  func pooled() throws {
    var generator = SplitMix64(seed: 11)
    func uniform() -> Double { Double(generator.next() >> 11) / 9_007_199_254_740_992 }
    var frames: [(d: [Double], g: [Double])] = []
    for count in [40, 700, 2000, 300, 900] {
      let g = (0..<count).map { _ in 0.5 + 4 * uniform() }
      frames.append((g.map { uniform() < 0.1 ? -1 : $0 * (0.9 + 0.3 * uniform()) }, g))
    }
    let records = try frames.enumerated().map { index, frame in
      let size = RasterSize(width: frame.g.count, height: 1)
      let lidar = DepthMap(width: size.width, height: 1, values: frame.g.indices.map { $0 % 3 == 0 ? 0 : 1 })
      let truth = DepthMap(width: size.width, height: 1, values: frame.g.map { Float($0) })
      let image = DepthFrame(index: index, lidar: lidar, truth: truth)
      var rules = EvaluationProtocol.fathom
      rules.aggregation = .pooled
      var scorer = try #require(FrameScorer(image, rules))
      let prediction = Prediction(
        depth: DepthMap(width: size.width, height: 1, values: frame.d.map { Float($0) }))
      var row = record(index % 4, index, "m", 0)
      row.take(
        try #require(scorer.scores(of: [prediction], by: ["m"], fusions: [FusionResult(status: .ok)])[0]))
      try #require(row.pixels?.all.truth == frame.g.count)
      return row
    }
    let all = ErrorSummary(
      predicted: frames.flatMap { $0.d.map { Double(Float($0)) } },
      reference: frames.flatMap { $0.g.map { Double(Float($0)) } })
    let summary = try #require(Aggregation(records, mode: .pooled).summary.first)
    for (index, column) in MetricColumn.all.enumerated()
    where column.support == .all && column.metric.pooling != nil {
      let value = try #require(summary.values[index], "\(column.id)")
      let expected = try #require(column.metric.value(all))
      // Quantiles are known to a bin's width; squares and logarithms are in single precision before they are added.
      let tolerance = column.id.contains("_ae_m") ? 0.005 : 1e-7
      #expect(abs(value - expected) <= tolerance * max(abs(expected), 1e-3), "\(column.id)")
    }
    let found = RunStatistics(
      records, references: ["m"], basis: ComparisonBasis(support: .measured, standIn: "m"), seed: 0,
      mode: .pooled)
    let interval = try #require(found.interval(of: "m", column: .rmse))
    let rmse = try #require(summary.value(.rmse))
    #expect(interval.low <= rmse && rmse <= interval.high)
    #expect(found.interval(of: "m", column: MetricColumn(.medianAE)) == nil)
  }

  @Test("a histogram's quantiles, and its ends")
  func histogram() throws {
    var histogram = ErrorHistogram()
    #expect(histogram.quantile(0.5) == nil)
    for i in 1...1000 { histogram.add(Double(i) / 1000) }
    for q in [0.1, 0.5, 0.9, 0.95] {
      #expect(abs(try #require(histogram.quantile(q)) - q) < 0.004 * q + 0.001)
    }
    var ends = ErrorHistogram()
    ends.add(0)
    ends.add(1e9)
    #expect(ends.counts.first == 1 && ends.counts.last == 1)
  }

  @Test func modes() {
    var rules = EvaluationProtocol.fathom
    #expect(rules.aggregation == .scene && rules.summary.contains("then scenes"))
    rules.aggregation = .pooled
    #expect(rules.aggregation == .pooled && rules.summary.contains("pooled over all pixels"))
  }
}
