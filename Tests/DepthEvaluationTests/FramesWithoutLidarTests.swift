import DepthCore
import DepthFusion
import FathomTestSupport
import Testing

@testable import DepthEvaluation

@Suite("Frames without a LiDAR")
struct FramesWithoutLidarTests {
  private func rows(_ methods: String, _ networks: [MapScene.Network]) throws -> [String: FrameRecord] {
    let plan = EvaluationPlan(methods: try MethodCatalogue.parse(methods))
    let scene = SceneContext(header: MapScene.header("a", networks), name: "a")
    let rows = plan.evaluate(MapScene.frame(networks), of: scene)
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.method, $0) })
  }

  @Test("a metric prediction has every value but those of the LiDAR's pixels; what needs a LiDAR says so")
  func metric() throws {
    let rows = try rows("default", [MapScene.Network("half", factor: 1.02)])
    let half = try #require(rows["stored:half"])
    #expect(half.isSolved && abs((half.value(.absRel) ?? 1) - 0.02) < 1e-6 && half.value(.coverage) == 1)
    for column in MetricColumn.all where column.support != .all {
      #expect(half.value(column) == nil, "\(column)")
    }
    for column in [MetricColumn.rmse, .bias, MetricColumn(.delta1), MetricColumn(.boundaryF1)] {
      #expect(half.value(column) != nil, "\(column)")
    }
    #expect(half.breakdowns["confidence"] == nil && half.breakdowns["steps"]?.keys.sorted() == [0, 1])
    for method in ["lidar-nearest", "lidar-bilinear", "smoothed", "spec", "shipped", "residual", "auto"] {
      let row = try #require(rows[method])
      #expect(row.fusion.status == .noLidar && row.values.isEmpty, "\(method)")
      #expect(row.fusion.reason == "the scene has no LiDAR")
    }
    #expect(rows.values.filter(\.isOracle).map(\.fusion.status) == [.noRelative])
  }

  @Test("a relative prediction keeps its numbers and its unit, and has no error before it is fitted")
  func relative() throws {
    let networks = [MapScene.Network("d", .depth, factor: 3), MapScene.Network("i", .disparity, factor: 2)]
    let frame = MapScene.frame(networks)
    var generator = SplitMix64(seed: 0)
    for (network, unit) in zip(networks, [Prediction.Unit.depth, .disparity]) {
      let result = StoredPredictionScoring(network.name).fuse(
        frame, in: FusionContext(), using: &generator)
      #expect(result.status == .ok && result.prediction?.unit == unit && result.line == nil)
      #expect(
        result.prediction?.depth.values
          == frame.predictions.first { $0.header.name == network.name }?.map.values)
    }
    let row = try #require(try rows("stored", networks)["stored:i"])
    #expect(row.fusion.status == .degenerate && row.values.isEmpty)
    #expect(row.fusion.reason == "relative: give an alignment")
  }

  @Test("smoothing of the LiDAR and its correction leave predictions alone where there is none")
  func smoothing() throws {
    var options = FusionOptions()
    options.temporal.lidar = .smoothed
    let networks = [MapScene.Network("half", factor: 1.02)]
    let plan = EvaluationPlan(methods: try MethodCatalogue.parse("stored:half"), options: options)
    let scene = SceneContext(header: MapScene.header("a", networks), name: "a")
    let rows = plan.evaluate(
      MapScene.frame(networks, index: 1), of: scene, history: [MapScene.frame(networks)])
    #expect(rows.map(\.isSolved) == [true])
  }

  @Test("the margin of a depth step is a LiDAR pixel, and 1/256 of the picture's width without one")
  func steps() {
    let view = RasterSize(width: 512, height: 128)
    let with = DepthFrame(index: 0, lidar: DepthMap(width: 32, height: 24, filledWith: 1)).stepGrid(of: view)
    #expect(with.columns == 32 && with.rows == 24)
    let without = MapScene.frame([]).stepGrid(of: view)
    #expect(without.columns == 256 && without.rows == 64)
  }

  @Test("protocols that read the truth at the network's pixels take those of the first prediction")
  func resampling() throws {
    var rules = EvaluationProtocol.fathom
    rules.resampling = .truthAtPrediction
    var frame = MapScene.frame([MapScene.Network("half", factor: 1.02)])
    frame.predictions[0].map = DepthMap(width: 16, height: 12, filledWith: 2)
    #expect(FrameScorer(frame, rules)?.size == RasterSize(width: 16, height: 12))
    frame.lidar = DepthMap(width: 8, height: 6, filledWith: 2)
    #expect(FrameScorer(frame, rules)?.size == RasterSize(width: 8, height: 6))
    #expect(FrameScorer(MapScene.frame([]), rules)?.size == RasterSize(width: 32, height: 24))
  }
}
