import FathomStatistics
import Testing

@testable import DepthEvaluation
@testable import DepthFusion
@testable import DepthVerdicts

/// A record whose every column has one value, or none.
private func record(_ scene: String, _ frame: Int, _ method: String, _ value: Double?) -> FrameRecord {
  FrameRecord(
    scene: scene, frameIndex: frame, frame: "\(frame)", method: method, space: nil, role: .line,
    fusion: FusionResult(status: value == nil ? .rejectedScale : .ok),
    values: value.map { Array(repeating: $0, count: MetricColumn.all.count) } ?? [], breakdowns: [:],
    fusionSeconds: 0)
}

@Suite("Frame, scene, data set")
struct AggregationTests {
  let records = [
    record("a", 0, "raw", 1), record("a", 0, "fit", 3), record("a", 1, "raw", 2), record("a", 1, "fit", nil),
    record("b", 0, "raw", 10), record("b", 0, "fit", 4), record("c", 0, "raw", nil),
    record("c", 0, "fit", nil),
  ]

  @Test("a scene counts once, whatever its frames; frames without a value are skipped")
  func means() throws {
    let aggregation = Aggregation(records)
    let raw = try #require(aggregation.summary.first { $0.method == "raw" })
    #expect(raw.value(.mae) == (1.5 + 10) / 2)
    #expect(raw.scenes == 3 && raw.frames == 4 && raw.framesSolved == 3)
    let fit = try #require(aggregation.summary.first { $0.method == "fit" })
    #expect(fit.value(.mae) == 3.5)
    #expect(fit.framesSolved == 2)
    let empty = try #require(aggregation.scenes.first { $0.scene == "c" && $0.method == "fit" })
    #expect(empty.values.allSatisfy { $0 == nil })
    #expect(aggregation.scenes.map(\.scene) == ["a", "a", "b", "b", "c", "c"])
  }

  private func compared(
    _ method: String, _ reference: String, _ column: MetricColumn, _ form: PairedComparison.Form
  ) -> PairedComparison? {
    RunStatistics(
      records, references: ["raw"], basis: ComparisonBasis(support: .measured, standIn: "raw"), seed: 0,
      mode: .scene
    )
    .comparison(of: method, against: reference, column: column, form: form)
  }

  @Test("paired on the frames that both solved, or with the raw LiDAR standing in")
  func paired() throws {
    func compare(_ form: PairedComparison.Form) -> PairedComparison? {
      compared("fit", "raw", .maeMeasured, form)
    }
    let solved = try #require(compare(.solvedFrames))
    #expect(solved.value == (3 + 4) / 2 && solved.referenceValue == (1 + 10) / 2)
    #expect(solved.frames == 2 && solved.scenes == 2)
    let fallback = try #require(compare(.fallback))
    #expect(fallback.value == 3.25)
    #expect(fallback.referenceValue == (1.5 + 10) / 2)
    #expect(fallback.frames == 3)
    #expect(fallback.relativeGain == (5.75 - 3.25) / 5.75)
    #expect(compared("fit", "none", .mae, .solvedFrames) == nil)
    #expect(MetricColumn(id: "nothing") == nil)
    for column in MetricColumn.all {
      #expect(MetricColumn(id: column.id) == column && MetricColumn.all[column.position] == column)
    }
  }

  @Test("every image alike, or every scene alike")
  func images() throws {
    let column = MetricColumn.mae.position
    let records = [
      ("a", 0, 1.0), ("a", 1, 2), ("a", 2, 3), ("b", 0, 10), ("c", 0, 4), ("d", 0, 4),
    ].map { scene, frame, value in
      var row = FrameRecord(
        scene: scene, frameIndex: frame, frame: "\(frame)", method: "m", space: nil, role: .line,
        fusion: FusionResult(status: .ok), values: Array(repeating: nil, count: MetricColumn.all.count),
        breakdowns: ["ranges": [0: BinScores(pixels: 1, values: Breakdown.metrics.map { _ in value })]],
        fusionSeconds: 0)
      row.values[column] = value
      return row
    }
    #expect(Aggregation(records, mode: .scene).summary[0].value(.mae) == 5)
    let images = Aggregation(records, mode: .images)
    #expect(images.summary[0].value(.mae) == 4)
    #expect(images.breakdowns["ranges"]?[0].values[1] == 4)
    let statistics = RunStatistics(
      records, references: ["m"], basis: ComparisonBasis(support: .measured, standIn: "m"), seed: 0,
      mode: .images)
    let interval = try #require(statistics.interval(of: "m", column: .mae))
    #expect(interval.low >= 0 && interval.low < 4 && interval.high > 4)
  }
}
