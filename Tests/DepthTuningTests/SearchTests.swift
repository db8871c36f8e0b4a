import DepthCore
import DepthEvaluation
import DepthFusion
import FathomTestSupport
import Testing

@testable import DepthTuning

@Suite("Search")
struct SearchTests {
  private static func context(_ index: Int) -> SceneContext {
    let header = ThresholdScene(seed: UInt64(index)).header
    return SceneContext(header: header, name: header.name)
  }

  private static func frame(_ index: Int, of scene: Int) -> DepthFrame {
    ThresholdScene(seed: UInt64(scene)).frame(index)
  }

  private static func plan(_ values: [String: [String]], objective: String = "mae_m_measured") throws
    -> TuningPlan
  {
    TuningPlan(
      grid: try SearchGrid(values, base: FusionOptions()), objective: try TuningObjective(objective))
  }

  private static func search(
    _ plan: TuningPlan, _ search: SceneSearch, scenes: Range<Int>, jobs: Int = 2
  ) async -> [SceneScores] {
    var results: [SceneScores] = []
    for index in scenes {
      var context = Self.context(index)
      results.append(
        await search.scores(of: &context, frames: 0..<2, jobs: jobs) { frame in
          (Self.frame(frame, of: index), nil)
        })
    }
    return results
  }

  private static func run(_ plan: TuningPlan, scenes: Int) async -> TuningRun {
    let found = await search(plan, .everything(plan), scenes: 0..<scenes)
    let finalists = SceneSearch.finalists(TuningRun.finalists(plan, found), plan)
    return TuningRun(
      plan: plan, scenes: (0..<scenes).map(context), search: found,
      confirmed: await search(plan, finalists, scenes: 0..<scenes))
  }

  @Test("finds the thresholds that the data were made for, and recommends them")
  func knownThresholds() async throws {
    let plan = try Self.plan([
      "min-confidence": ["0", "1", "2"], "max-depth": ["2", "2.5", "3", "3.5", "4", "5", "6"],
    ])
    let run = await Self.run(plan, scenes: 8)
    #expect(run.verdict.recommendsChange)
    let labels = plan.grid.labels(of: run.verdict.recommended)
    #expect(labels == ["2", "3"])
    let range = try #require(run.questions.first { $0.axes == ["max-depth"] })
    #expect(range.verdict.recommendsChange)
    let confidence = try #require(run.questions.first { $0.axes == ["min-confidence"] })
    #expect(confidence.verdict.reason == .alreadyBest)
    #expect((run.verdict.interval?.lowerBound ?? -1) > 0)
  }

  @Test("robust methods: the finalists are fitted to all pairs and scored at all pixels")
  func robustMethods() async throws {
    var plan = try Self.plan(["methods": ["lad", "huber"], "max-depth": ["3"]])
    (plan.searchPixels, plan.searchPairs) = (200, 200)
    let run = await Self.run(plan, scenes: 5)
    #expect(run.searched.losses(of: 1) != run.finals.losses(of: 1))
    // The finals are an evaluation's numbers.
    let configuration = plan.grid.configurations[run.finals.configurations.last ?? 0]
    let evaluation = EvaluationPlan(methods: [configuration.method], options: configuration.options)
    let records = (0..<2).flatMap {
      evaluation.evaluate(Self.frame($0, of: 3), of: Self.context(3))
    }
    let mean = records.compactMap { $0.value(.maeMeasured) }.reduce(0, +) / 2
    let final = run.finals.losses(of: run.finals.configurations.last ?? 0)[3]
    #expect(abs(final - mean) <= 1e-12)
  }

  @Test("a refused frame counts as the raw LiDAR, and covers nothing")
  func fallback() async throws {
    let plan = try Self.plan(["min-pairs": ["5000"]])
    let scores = await Self.search(plan, .everything(plan), scenes: 0..<1)
    let column = plan.objective.columnIndex
    #expect(scores[0].framesSolved(1) == 0 && scores[0].framesSolved(0) == 2)
    #expect(scores[0].value(1, column: column, withFallback: false) == nil)
    #expect(scores[0].coverage(1) == 0 && scores[0].coverage(0) == 1)
    let raw = EvaluationPlan(methods: try MethodCatalogue.parse("lidar-bilinear"))
    var pixels = plan
    pixels.searchPixels = nil
    let exact = await Self.search(pixels, .everything(pixels), scenes: 0..<1)
    let expected =
      (0..<2).compactMap {
        raw.evaluate(Self.frame($0, of: 0), of: Self.context(0))[0].value(
          .maeMeasured)
      }.reduce(0, +) / 2
    #expect(abs((exact[0].value(1, column: column, withFallback: true) ?? 0) - expected) < 1e-12)
  }

  @Test("the same for any number of jobs, and after a round trip through bytes")
  func repeatable() async throws {
    let plan = try Self.plan(["methods": ["ransac", "wls"], "min-confidence": ["0"]])
    let one = await Self.search(plan, .everything(plan), scenes: 0..<2, jobs: 1)
    let many = await Self.search(plan, .everything(plan), scenes: 0..<2, jobs: 4)
    #expect(one.map(\.data) == many.map(\.data))
    let copy = try #require(
      SceneScores(data: one[1].data, scene: one[1].scene, configurations: one[1].configurations))
    #expect(copy.data == one[1].data && copy.frames == 2)
    #expect(
      SceneScores(data: one[1].data.dropLast(), scene: "", configurations: one[1].configurations) == nil)
    #expect(SceneScores(data: one[1].data, scene: "", configurations: [0]) == nil)
  }

  @Test("the front: no point is beaten in both coverage and error")
  func front() async throws {
    let plan = try Self.plan(["min-pairs": ["900", "1100", "1300"], "max-depth": ["2", "3", "5"]])
    let run = await Self.run(plan, scenes: 4)
    #expect(!run.front.front.isEmpty)
    for point in run.front.front {
      #expect(!run.front.points.contains { $0.coverage >= point.coverage && $0.loss < point.loss })
    }
    for (first, second) in zip(run.front.front, run.front.front.dropFirst()) {
      #expect(first.coverage > second.coverage && first.loss > second.loss)
    }
  }
}
