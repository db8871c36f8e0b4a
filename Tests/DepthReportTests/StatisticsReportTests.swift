import FathomDocuments
import FathomTables
@testable import FathomRunFolders
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthVerdicts
import FathomTestSupport
import Testing

@testable import DepthReport

/// Rooms whose LiDAR is wrong by a per cent or more, so that a fit gains.
private func run(scenes: Int, mode: AggregationMode = .scene) throws -> EvaluationRun {
  var plan = EvaluationPlan(methods: try MethodCatalogue.parse("lidar-bilinear,spec,ols,huber,oracle"))
  plan.rules.aggregation = mode
  var contexts: [SceneContext] = []
  var records: [FrameRecord] = []
  for number in 0..<scenes {
    var header = SceneHeader(name: "room-\(number)", frameCount: 1)
    header.lidarSize = RasterSize(width: 32, height: 24)
    header.relativeSize = header.lidarSize
    header.relativeKind = .disparity
    header.hasConfidence = true
    header.truthSize = header.lidarSize
    header.truthIndependence = .render
    let scene = SceneContext(header: header, name: header.name)
    var frame = LineScene.frame(kind: .disparity, scale: 0.5, shift: 0.1)
    for i in frame.lidar.values.indices {
      frame.lidar.values[i] *= 1 + Float(i % 2 * 2 - 1) * Float(number + 1) / 100
    }
    records += plan.evaluate(frame, of: scene)
    contexts.append(scene)
  }
  return EvaluationRun(plan: plan, scenes: contexts, records: records, baseline: "lidar-bilinear")
}

private func page(_ run: EvaluationRun) throws -> String {
  MarkdownRenderer.render(
    EvaluationDocument(
      run, RunVerdict(run), manifest: RunManifest(run, inputs: [], scenePattern: nil, frameRange: nil),
      title: "rooms"
    ).document)
}

@Suite("Statistics in the report")
struct StatisticsReportTests {
  @Test("one scene: values only, and why")
  func oneScene() throws {
    let text = try page(run(scenes: 1))
    #expect(text.contains("Point values only") && text.contains("one scene is a sample of one"))
    #expect(!text.contains("Brackets are") && !text.contains("## Ranks"))
  }

  @Test("few scenes: what such intervals hold, and 0.05 out of reach")
  func fewScenes() throws {
    let text = try page(run(scenes: 4))
    #expect(text.contains("95 % intervals over 4 scenes"))
    #expect(text.contains("In simulations with 4 scenes such intervals hold the true mean in 95 % of cases"))
    #expect(text.contains("cannot be tested with 4 scenes: a test needs at least 6."))
    #expect(text.contains("| outcome |") && text.contains("are exploratory"))
    #expect(!text.contains("## Ranks") && !text.contains("{{"))
  }

  @Test("enough scenes: significant, ranked, no warning")
  func manyScenes() throws {
    let run = try run(scenes: 12)
    let text = try page(run)
    #expect(
      text.contains("is statistically significant (p = ") && text.contains("the run’s single planned test"))
    #expect(text.contains("With 12 scenes, the smallest detectable difference is "))
    #expect(text.contains("## Ranks") && text.contains("Nemenyi's critical difference"))
    #expect(!text.contains("cannot be tested"))
    let names = RunTables(run).files.map(\.name)
    #expect(names.contains("ranks.csv") && names.contains("pairwise.csv"))
  }

  @Test("every file passes the linter; pairs have a row each, spec without a value")
  func tables() throws {
    for mode in AggregationMode.allCases {
      let run = try run(scenes: 3, mode: mode)
      let checked = CheckedRun(run)
      #expect(checked.impossible.isEmpty)
      let tables = checked.tables
      let pairs = try #require(tables.files.first { $0.name == "pairwise.csv" }?.table)
      #expect(pairs.rows.count == 10 * 2 * 2)
      #expect(pairs.columns.prefix(6) == ["method_a", "method_b", "metric", "support", "form", "scenes"])
      let solved = pairs.rows.filter { $0[1] == .text("spec") && $0[4] == .text("solved") }
      #expect(!solved.isEmpty && solved.allSatisfy { $0[5] == .integer(0) && $0[9] == .empty })
      let methods = try #require(tables.files.first { $0.name == "methods.csv" }?.table)
      let aggregation = try #require(methods.columns.firstIndex(of: "aggregation"))
      #expect(methods.rows.allSatisfy { $0[aggregation] == .text(mode.summary) })
    }
  }

  @Test("a row that cannot be loses its values, gives a reason and counts in no mean; the other rows stay")
  func impossible() throws {
    let whole = try run(scenes: 2)
    var records = Array(whole.records)
    let (mae, rmse) = (
      MetricColumn.mae.position, MetricColumn.rmse.position
    )
    records[0].values[mae] = 1 + (records[0].values[rmse] ?? 0)
    let checked = CheckedRun(
      EvaluationRun(
        plan: EvaluationPlan(methods: []), scenes: [], records: records, baseline: "lidar-bilinear"))
    #expect(checked.impossible.map(\.table) == ["frames.csv"])
    #expect(checked.impossible.first?.problem.hasPrefix("row 1 (") == true)
    let first = try #require(checked.run.records.first)
    let rest = checked.run.records.dropFirst()
    #expect(first.fusion.status == .impossible && first.values.isEmpty && first.breakdowns.isEmpty)
    #expect(first.fusion.reason?.contains("MAE > RMSE") == true)
    #expect(rest.map(\.values) == whole.records.dropFirst().map(\.values))
    #expect(checked.run.aggregation.summary.allSatisfy { ($0.values[mae] ?? 0) < 1 })
    #expect(CheckedRun(checked.run).impossible.isEmpty)
  }
}
