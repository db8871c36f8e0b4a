import DepthCore
import Testing

@testable import DepthEvaluation
@testable import DepthFusion

@Suite("Protocols")
struct ProtocolTests {
  @Test("every preset states all that it fixes, and its source", arguments: EvaluationProtocol.presets)
  func statements(_ rules: EvaluationProtocol) {
    #expect(rules.title == rules.name && !rules.source.isEmpty)
    for item in ProtocolSwitch.all { #expect(rules.summary.contains(item.statement(rules))) }
    #expect(rules.firstProblem == nil)
    #expect(EvaluationProtocol.presets.count { $0.name == rules.name } == 1)
    var changed = rules
    changed.maxDepth = 3.5
    #expect(changed.title == "\(rules.name), changed")
  }

  @Test(
    "one switch at a time leads from Fathom's rules to every preset", arguments: EvaluationProtocol.presets)
  func steps(_ preset: EvaluationProtocol) throws {
    let steps = EvaluationProtocol.fathom.steps(to: preset)
    var reached = try #require(steps.last).rules
    (reached.name, reached.source) = (preset.name, preset.source)
    #expect(reached == preset)
    #expect(steps.first?.rules == .fathom && steps.first?.turned == nil)
    #expect(Set(steps.compactMap(\.turned)).count == steps.count - 1)
    for (before, after) in zip(steps, steps.dropFirst()) { #expect(before.rules != after.rules) }
  }

  @Test("crops of the benchmarks' own code")
  func crops() {
    let kitti = RasterSize(width: 1242, height: 375)
    let garg = EvaluationProtocol.kittiGarg.crop.window(in: kitti)
    #expect(garg.rows == 153..<371 && garg.columns == 44..<1197)
    let eigen = EvaluationProtocol.kittiEigen.crop.window(in: kitti)
    #expect(eigen.rows == 124..<342 && eigen.columns == 44..<1197)
    let nyu = EvaluationProtocol.nyuEigen.crop.window(in: RasterSize(width: 640, height: 480))
    #expect(nyu.rows == 45..<471 && nyu.columns == 41..<601)
    var scene = SceneHeader(name: "a", frameCount: 1)
    #expect(EvaluationProtocol.nyuEigen.objection(to: scene) == nil)
    scene.truthSize = RasterSize(width: 320, height: 240)
    #expect(EvaluationProtocol.nyuEigen.objection(to: scene)?.contains("640×480") == true)
    scene.truthSize = RasterSize(width: 640, height: 480)
    #expect(EvaluationProtocol.nyuEigen.objection(to: scene) == nil)
  }

  @Test("limits: Fathom includes the farthest depth, the benchmarks do not")
  func ranges() {
    #expect(EvaluationProtocol.fathom.truthRange.contains(10))
    #expect(!EvaluationProtocol.fathom.truthRange.contains(0.1))
    #expect(!EvaluationProtocol.marigold.truthRange.contains(10))
    #expect(EvaluationProtocol.marigold.truthRange.contains(Float(10).nextDown))
    #expect(EvaluationProtocol.arkitScenes.truthRange.contains(60))
    #expect(!EvaluationProtocol.arkitScenes.truthRange.contains(.infinity))
    #expect(!EvaluationProtocol.mogeDisparity.truthRange.contains(0))
  }

  /// Truth 1…12 m in a row of 12 pixels; the LiDAR has one return per pixel.
  private static let truth = DepthMap(width: 12, height: 1, values: (1...12).map { Float($0) })
  private static let frame = DepthFrame(
    index: 0, lidar: DepthMap(width: 12, height: 1, filledWith: 1), truth: truth)

  private func values(_ rules: EvaluationProtocol, _ depth: DepthMap, _ metrics: [Metric]) throws -> [Double?]
  {
    var scorer = try #require(FrameScorer(Self.frame, rules))
    let prediction = Prediction(depth: depth)
    let size = scorer.size
    return scorer.values(
      of: metrics, raster: TruthPixels.values(of: prediction, at: size), of: prediction, by: "m", at: size)
  }

  @Test("an affine prediction is perfect once it was fitted to the truth")
  func alignment() throws {
    let affine = DepthMap(width: 12, height: 1, values: (1...12).map { 3 * Float($0) + 2 })
    #expect(try #require(try values(.fathom, affine, [.absRel])[0]) > 2)
    #expect(try #require(try values(.marigold, affine, [.mae])[0]) < 1e-6)
    let inverse = DepthMap(width: 12, height: 1, values: (1...12).map { 1 / (0.5 / Float($0) + 0.25) })
    #expect(try #require(try values(.mogeDisparity, inverse, [.mae])[0]) < 1e-5)
    #expect(try #require(try values(.marigold, inverse, [.mae])[0]) > 0.01)
    // One value everywhere determines no line: there is no number.
    let flat = DepthMap(width: 12, height: 1, filledWith: 2)
    #expect(try values(.marigold, flat, [.absRel, .coverage]) == [nil, nil])
  }

  @Test("clipping limits, and does not invent what is missing")
  func clipping() throws {
    var depth = Self.truth
    (depth.values[0], depth.values[1], depth.values[2]) = (.nan, -4, 500)
    var rules = EvaluationProtocol.fathom
    rules.clip = .range(0.5, 10)
    let found = try values(rules, depth, [.coverage, .mae])
    #expect(found[0] == 0.8)
    #expect(found[1] == 7.0 / 8)
    rules.clip = .farthestTruth
    #expect(try values(rules, depth, [.mae])[0] == 7.0 / 8)
  }

  @Test("truth is brought to the prediction's size by ⌊i·W/w⌋")
  func nearest() throws {
    let half = DepthMap(width: 5, height: 1, values: [1, 3, 5, 8, 10])
    #expect(Self.truth.nearest(at: half.size).values == [1, 3, 5, 8, 10])
    var frame = Self.frame
    frame.relative = half
    var scorer = try #require(FrameScorer(frame, .arkitScenes))
    #expect(scorer.size == half.size)
    let raster = half.values.map { Double($0) }
    let prediction = Prediction(depth: half)
    #expect(
      scorer.values(of: [.mae, .coverage], raster: raster, of: prediction, by: "m", at: half.size) == [0, 1])
  }
}
