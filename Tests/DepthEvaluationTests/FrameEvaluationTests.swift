import DepthCore
import DepthFusion
import FathomTestSupport
import Testing

@testable import DepthEvaluation

@Suite("Evaluating frames")
struct FrameEvaluationTests {
  private func scene(_ kind: RelativeKind, frames: Int = 1) -> SceneContext {
    var header = SceneHeader(name: "s", frameCount: frames)
    header.relativeKind = kind
    header.relativeSize = RasterSize(width: 32, height: 24)
    header.truthSize = header.relativeSize
    return SceneContext(header: header, name: "s")
  }

  @Test("statuses, values and bins of a frame")
  func frame() throws {
    let plan = EvaluationPlan(methods: try MethodCatalogue.parse("default,ols@disparity"))
    let rows = plan.evaluate(LineScene.frame(kind: .disparity, scale: 0.5, shift: 0.1), of: scene(.disparity))
    // "ols" and "ols@disparity" are one method here.
    #expect(rows.map(\.method).filter { $0 == "ols@disparity" }.count == 1)
    let raw = try #require(rows.first { $0.method == "lidar-bilinear" })
    #expect(raw.value(.mae) == 0 && raw.value(.coverage) == 1)
    #expect(raw.space == nil)
    let spec = try #require(rows.first { $0.method == "spec" })
    #expect(spec.fusion.status == .rejectedScale && spec.values.isEmpty && spec.breakdowns.isEmpty)
    let ols = try #require(rows.first { $0.method == "ols@disparity" })
    #expect(ols.isSolved && (ols.value(.absRel) ?? 1) < 1e-5)
    // Depths 1…3.5 m: bins (0.5, 1], (1, 1.5] … (3, 3.5].
    #expect(ols.breakdowns["ranges"]?.keys.sorted() == [1, 2, 3, 4, 5, 6])
    #expect(ols.breakdowns["ranges"]?.values.reduce(0) { $0 + $1.pixels } == 768)
    #expect(ols.breakdowns["confidence"]?.keys.sorted() == [2])
    #expect(ols.fusion.prediction == nil)
  }

  @Test("no truth, empty truth and no LiDAR return are rows")
  func withoutTruth() throws {
    let plan = EvaluationPlan(methods: try MethodCatalogue.parse("lidar-bilinear,ols,oracle"))
    var frame = LineScene.frame(kind: .disparity, scale: 0.5, shift: 0.1)
    frame.truth = nil
    let rows = plan.evaluate(frame, of: scene(.disparity))
    #expect(rows.map(\.fusion.status) == [.noTruth, .noTruth, .noTruth])
    #expect(rows[1].fusion.line != nil)
    frame.truth = DepthMap(width: 32, height: 24, filledWith: 0)
    #expect(plan.evaluate(frame, of: scene(.disparity)).allSatisfy { $0.fusion.status == .noTruth })
    frame.truth = DepthMap(width: 32, height: 24, filledWith: 2)
    frame.lidar = DepthMap(width: 32, height: 24, filledWith: .nan)
    let starved = plan.evaluate(frame, of: scene(.disparity))
    #expect(starved[0].fusion.status == .ok && starved[0].value(.coverage) == 0)
    #expect(starved[0].value(.mae) == nil)
    #expect(starved[1].fusion.status == .tooFewPairs)
  }

  @Test("same rows for any number of jobs, in order; an unknown kind is found once per scene")
  func jobs() async throws {
    let plan = EvaluationPlan(methods: try MethodCatalogue.parse("ransac,huber"), seed: 9)
    var frames: [DepthFrame] = []
    for index in 0..<7 {
      var frame = LineScene.frame(kind: .depth, scale: 1 + Double(index) / 10, shift: 0.05)
      frame.index = index
      for i in stride(from: index, to: 768, by: 7) { frame.lidar.values[i] *= 1.4 }
      frames.append(frame)
    }
    let all = frames
    var tables: [[String]] = []
    for jobs in [1, 2, 5] {
      var context = scene(.unknown, frames: 7)
      let rows = await plan.evaluate(&context, frames: 0..<7, jobs: jobs) {
        (index) throws(Never) in all[index]
      }
      #expect(context.relativeKind == .depth)
      #expect((context.kindCorrelation ?? 0) < -0.8)
      tables.append(rows.map { "\($0.frame) \($0.method) \($0.fusion.line as Any) \($0.values)" })
    }
    #expect(tables[0].count == 14)
    #expect(tables[0] == tables[1] && tables[1] == tables[2])
  }

  @Test("what reading throws comes out, typed")
  func readFailure() async throws {
    struct Broken: Error, Equatable {}
    let plan = EvaluationPlan(methods: try MethodCatalogue.parse("ols"))
    var context = scene(.depth, frames: 3)
    await #expect(throws: Broken()) {
      try await plan.evaluate(&context, frames: 0..<3, jobs: 2) {
        (index) throws(Broken) in
        if index == 1 { throw Broken() }
        return LineScene.frame(kind: .depth, scale: 1, shift: 0)
      }
    }
  }
}
