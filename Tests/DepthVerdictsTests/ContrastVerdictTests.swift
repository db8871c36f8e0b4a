import DepthCore
import DepthFusion
import FathomTestSupport
import Testing

@testable import DepthEvaluation
@testable import DepthVerdicts

/// A run over scenes whose methods have one error each.
private func run(
  _ differences: [Double], contrast: Contrast? = nil, methods: [MethodSelection] = [.auto, .lidarBilinear]
) -> EvaluationRun {
  var plan = EvaluationPlan(methods: methods)
  plan.contrast = contrast
  var (contexts, records) = ([SceneContext](), [FrameRecord]())
  for (number, difference) in differences.enumerated() {
    var header = SceneHeader(name: "room-\(number)", frameCount: 1)
    header.truthSize = RasterSize(width: 4, height: 3)
    header.lidarSize = header.truthSize
    header.truthIndependence = .independent
    contexts.append(SceneContext(header: header, name: header.name))
    for method in methods {
      let error = 0.1 + (method == .lidarBilinear ? 0 : difference)
      var row = [Double?](repeating: error, count: MetricColumn.all.count)
      row[MetricColumn.coverage.position] = 1
      records.append(
        FrameRecord(
          scene: header.name, frameIndex: 0, frame: "0", method: method.method(for: .disparity).id,
          space: nil,
          role: method.role, fusion: FusionResult(status: .ok), values: row))
    }
  }
  return EvaluationRun(plan: plan, scenes: contexts, records: records, baseline: "lidar-bilinear")
}

@Suite("The run's one question")
struct ContrastVerdictTests {
  @Test("sign flips: p is the share of the flips that differ as much; six equal signs are 2 of 64")
  func better() throws {
    let verdict = RunVerdict(run([-0.010, -0.012, -0.011, -0.009, -0.013, -0.010]))
    let contrast = try #require(verdict.contrast)
    #expect(contrast.comparison.method == "auto" && contrast.comparison.reference == "lidar-bilinear")
    #expect(!contrast.isDeclared && contrast.outcome == .better)
    #expect(contrast.p == 2.0 / 64 && contrast.smallestP == 2.0 / 64)
    #expect(verdict.next.kind == .look || verdict.next.kind == .needsNetwork)
  }

  @Test("what the scenes cannot tell is undecided; five scenes are too few for any answer")
  func undecided() throws {
    let mixed = try #require(RunVerdict(run([-0.02, 0.03, -0.01, 0.02, -0.03, 0.01, 0.005])).contrast)
    #expect(mixed.outcome == .undecided && (mixed.p ?? 0) > 0.05)
    let few = try #require(RunVerdict(run([-0.01, -0.011, -0.012, -0.01, -0.011])).contrast)
    #expect(few.outcome == .tooFewScenes && few.p == 2.0 / 32)
    #expect(RunVerdict(run([-0.01])).contrast?.p == nil)
  }

  @Test(
    "the detectable difference is that of Student's t with 80 % power, and half of it takes about four times the scenes"
  )
  func power() throws {
    let contrast = try #require(
      RunVerdict(run([-0.02, 0.03, -0.01, 0.02, -0.03, 0.01, 0.005, 0.0])).contrast)
    // scipy: (t.ppf(0.975, 7) + t.ppf(0.8, 7)) · s / √8 with s the standard deviation of the differences.
    #expect(abs((contrast.detectable ?? 0) - 0.023146) < 1e-5)
    let scenes = try #require(contrast.scenesForHalf)
    #expect(scenes == 26)
  }

  @Test("a declared question is answered in the place of the default one, and a worse method is called worse")
  func declared() throws {
    let declared = run(
      [0.010, 0.012, 0.011, 0.009, 0.013, 0.010], contrast: Contrast(.smoothed, against: .lidarBilinear),
      methods: [.auto, .smoothed, .lidarBilinear])
    let contrast = try #require(RunVerdict(declared).contrast)
    #expect(contrast.isDeclared && contrast.comparison.method == "smoothed" && contrast.outcome == .worse)
  }
}
