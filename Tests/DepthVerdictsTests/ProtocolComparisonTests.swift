import DepthCore
import FathomStatistics
import Testing

@testable import DepthEvaluation
@testable import DepthFusion
@testable import DepthVerdicts

@Suite("The same predictions under every protocol")
struct ProtocolComparisonTests {
  /// Predictions 10 % too far on a ramp, so that each protocol's part of it gives another number.
  private func run() throws -> EvaluationRun {
    let size = RasterSize(width: 16, height: 12)
    let truth = DepthMap(width: 16, height: 12, values: (0..<192).map { 0.5 + Float($0) * 0.06 })
    var plan = EvaluationPlan(methods: try MethodCatalogue.parse("lidar-bilinear,lidar-nearest"))
    var headers: [SceneContext] = []
    for name in ["a", "b", "c", "d"] {
      var header = SceneHeader(name: name, frameCount: 1)
      (header.lidarSize, header.truthSize) = (size, size)
      headers.append(SceneContext(header: header, name: name))
    }
    plan.paths = ProtocolPaths(headers.map(\.header))
    var records: [FrameRecord] = []
    for (number, scene) in headers.enumerated() {
      let frame = DepthFrame(
        index: 0,
        lidar: DepthMap(
          width: 16, height: 12, values: truth.values.map { $0 * (1.1 + Float(number % 2) * 0.1) }),
        truth: truth)
      records += plan.evaluate(frame, of: scene)
    }
    return EvaluationRun(plan: plan, scenes: headers, records: records, baseline: "lidar-bilinear")
  }

  @Test("changes add up from Fathom's number to the preset's")
  func changes() throws {
    let comparison = try #require(try run().protocols)
    let cropped: [EvaluationProtocol] = [.nyuEigen, .marigoldNYU, .iBims]
    #expect(comparison.refused.map(\.preset) == cropped)
    let index = ProtocolComparison.index(of: .absRel)
    for preset in EvaluationProtocol.presets where !cropped.contains(preset) {
      let rows = comparison.rows.filter { $0.preset == preset && $0.method == "lidar-bilinear" }
      let first = try #require(rows.first?.values[index])
      let last = try #require(rows.last?.values[index])
      #expect(abs(first - 0.15) < 1e-6)
      let sum = rows.dropFirst().reduce(first) { $0 + ($1.changes[index] ?? .nan) }
      #expect(abs(sum - last) < 1e-12)
      #expect(rows.last?.isLast == true && rows.last?.isOracle == preset.isOracle)
    }
    let turned = try #require(
      comparison.largestChange(of: .absRel, method: "lidar-bilinear", to: "marigold"))
    #expect(turned.row.turned == "alignment" && abs(turned.change + 0.15) < 1e-6)
    #expect(comparison.largestChange(of: .absRel, method: "lidar-bilinear", to: "fathom") == nil)
  }

  @Test("the run's own numbers are those of its protocol's row")
  func agreement() throws {
    let run = try run()
    let comparison = try #require(run.protocols)
    let summary = try #require(run.aggregation.summary.first { $0.method == "lidar-bilinear" })
    let row = try #require(comparison.rows.first { $0.method == "lidar-bilinear" })
    for (metric, value) in zip(ProtocolPaths.metrics, row.values) {
      let (own, value) = try (#require(summary.value(MetricColumn(metric))), #require(value))
      #expect(abs(own - value) <= 1e-12 * abs(value), "\(metric)")
    }
    let interval = try #require(run.statistics.interval(of: "lidar-bilinear", column: .mae))
    let found = try #require(row.intervals[ProtocolComparison.index(of: .mae)])
    #expect(abs(found.low - interval.low) < 1e-12 && abs(found.high - interval.high) < 1e-12)
  }
}
