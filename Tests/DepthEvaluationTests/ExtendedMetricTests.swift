import DepthCore
import DepthFusion
import FathomTestSupport
import Foundation
import Testing

@testable import DepthEvaluation
@testable import DepthVerdicts

@Suite("Metrics of maps without a LiDAR")
struct ExtendedMetricTests {
  /// Maps and what numpy makes of them: Tests/Reference/make_extended_golden.py.
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let width: Int, height: Int
    let camera: [Double]?
    let baseline: Double?
    let predicted: [Float], truth: [Float]
    let values: [String: Double?]

    var testDescription: String { name }

    static let all: [Case] = {
      let file = PackageFiles.root.appendingPathComponent("Tests/Reference/golden/extended.json")
      do {
        return try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
      } catch {
        preconditionFailure("\(file.path): \(error)")
      }
    }()

    var scene: SceneContext {
      var header = SceneHeader(name: "a", frameCount: 1)
      let size = RasterSize(width: width, height: height)
      header.intrinsics = camera.map {
        CameraIntrinsics(fx: $0[0], fy: $0[1], cx: $0[2], cy: $0[3], imageSize: size)
      }
      (header.truthSize, header.stereoBaseline) = (size, baseline)
      header.predictions = [StoredPrediction(name: "net", kind: .metric, size: size)]
      return SceneContext(header: header, name: "a")
    }

    var frame: DepthFrame {
      var frame = DepthFrame(
        index: 0, lidar: DepthMap(width: 0, height: 0, values: []),
        truth: DepthMap(width: width, height: height, values: truth))
      let map = DepthMap(width: width, height: height, values: predicted)
      frame.predictions = [(StoredPrediction(name: "net", kind: .metric, size: map.size), map)]
      return frame
    }
  }

  private let plan = EvaluationPlan(methods: [.everyStored])

  @Test("every one is numpy's", arguments: Case.all)
  func golden(_ c: Case) throws {
    #expect(Set(c.values.keys) == Set(Metric.extended.map(\.id)))
    let row = try #require(plan.evaluate(c.frame, of: c.scene).first)
    for column in MetricColumn.extended {
      switch (row.value(column), c.values[column.id] ?? nil) {
      case (nil, nil): break
      case (let value?, let expected?):
        #expect(
          abs(value - expected) <= 1e-7 * max(1, abs(expected)), "\(column.id): \(value), not \(expected)")
        #expect(column.metric.possible.contains(value))
      case (let value, let expected):
        Issue.record("\(column.id): \(String(describing: value)), not \(String(describing: expected))")
      }
    }
  }

  @Test("frames with a LiDAR have none of them, and all other values are the same without one")
  func withLidar() throws {
    let c = try #require(Case.all.first { $0.name == "noise" })
    var (frame, scene) = (c.frame, c.scene)
    frame.lidar = try #require(frame.truth)
    scene.header.lidarSize = frame.lidar.size
    let plain = try #require(plan.evaluate(frame, of: scene).first)
    #expect(MetricColumn.extended.allSatisfy { plain.value($0) == nil })
    let row = try #require(plan.evaluate(c.frame, of: c.scene).first)
    #expect(MetricColumn.extended.allSatisfy { row.value($0) != nil })
    #expect(ComparisonBasis.maps.columns.allSatisfy { row.value($0) == plain.value($0) })
    let run = EvaluationRun(plan: plan, scenes: [scene], records: [plain], baseline: "lidar-bilinear")
    #expect(run.columns == MetricColumn.standard)
  }

  @Test("a run without a LiDAR has the columns that its cameras allow")
  func columns() throws {
    func columns(_ name: String) throws -> [MetricColumn] {
      let c = try #require(Case.all.first { $0.name == name })
      let records = plan.evaluate(c.frame, of: c.scene)
      return EvaluationRun(plan: plan, scenes: [c.scene], records: records, baseline: "stored:net").columns
    }
    let basis = ComparisonBasis.maps.columns
    #expect(try columns("noise") == basis + MetricColumn.extended)
    #expect(
      try columns("no camera").dropFirst(basis.count).map(\.id)
        == ["delta_103", "delta_105", "imae_per_km", "scale_error"])
    #expect(try columns("no baseline").dropFirst(basis.count).map(\.id).contains("normal_11"))
    #expect(try !columns("no baseline").map(\.id).contains("epe_px"))
  }

  @Test("a median is that of all numbers, in parts, and wherever the sample says it lies")
  func expectedMedian() {
    var generator = SplitMix64(seed: 4)
    for count in [1, 2, 7, 5000, 5001] {
      let numbers = (0..<count).map { _ in Double.random(in: 1...4, using: &generator) }
      for sample in [[], numbers, numbers.map { $0 + 2 }, numbers.map { $0 - 2 }] {
        let median = ExpectedMedian(sample: sample, room: count)
        func add() {
          numbers.withUnsafeBufferPointer { numbers in
            guard let first = numbers.baseAddress else { return }
            for from in stride(from: 0, to: count, by: 1000) {
              median.add(first + from, count: min(1000, count - from))
            }
          }
        }
        add()
        // A few numbers bound little.
        if count >= 5000 { #expect(median.isMissed == (!sample.isEmpty && sample != numbers)) }
        if median.isMissed {
          median.beginAnew()
          add()
        }
        #expect(!median.isMissed && median.value == OrderStatistics.median(of: numbers))
      }
    }
    #expect(ExpectedMedian(sample: [], room: 0).value == nil)
  }

  @Test("the scale is right where what is looked at first tells nothing of the rest")
  func misleadingSample() throws {
    // One pixel of ten is looked at: those of every tenth column.
    let predicted = (0..<20_000).map { Float($0 % 10 == 0 ? 5 : $0 % 2 == 0 ? 1 : 1.5) }
    let c = Case(
      name: "columns", width: 200, height: 100, camera: nil, baseline: nil, predicted: predicted,
      truth: predicted.map { _ in 2 }, values: [:])
    let row = try #require(plan.evaluate(c.frame, of: c.scene).first)
    #expect(row.value(MetricColumn(.scaleError)) == abs(2 / 1.5 - 1))
  }

  @Test("errors are of the fitted map, and the scale is that of the map before")
  func aligned() throws {
    let c = try #require(Case.all.first { $0.name == "equal maps" })
    var frame = c.frame
    frame.predictions[0].map.values = c.truth.map { 2 * $0 }
    var fitted = plan
    fitted.rules.alignment = .depth
    let row = try #require(fitted.evaluate(frame, of: c.scene).first)
    #expect(abs((row.value(MetricColumn(.scaleError)) ?? 0) - 0.5) < 1e-9)
    #expect(row.value(MetricColumn(.delta103)) == 1 && (row.value(MetricColumn(.epe)) ?? 1) < 1e-6)
    // A map without a unit has no scale to be wrong.
    frame.predictions[0].header.kind = .depth
    let relative = try #require(fitted.evaluate(frame, of: c.scene).first)
    #expect(relative.value(MetricColumn(.scaleError)) == nil && relative.value(MetricColumn(.delta103)) == 1)
  }
}
