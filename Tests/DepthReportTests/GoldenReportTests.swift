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

/// A small run that is worked out by hand elsewhere: here its files stay what they are, but for digits that the linear algebra
/// and the mathematics of the machine round otherwise.
@Suite("Files of a run, words and numbers")
struct GoldenReportTests {
  private static let folder = "Tests/DepthReportTests/Golden/"

  /// Two scenes of two frames; LiDAR errors of 1 % up and down, twice as large in the second.
  private func run() throws -> EvaluationRun {
    let plan = EvaluationPlan(
      methods: try MethodCatalogue.parse("lidar-bilinear,spec,ols,huber,oracle"), seed: 7)
    var (scenes, records): ([SceneContext], [FrameRecord]) = ([], [])
    for (number, name) in ["desk", "hall"].enumerated() {
      var header = SceneHeader(name: name, frameCount: 2)
      header.lidarSize = RasterSize(width: 32, height: 24)
      header.relativeSize = header.lidarSize
      header.relativeKind = .disparity
      header.hasConfidence = true
      header.truthSize = header.lidarSize
      header.truthIndependence = .render
      let scene = SceneContext(header: header, name: name)
      scenes.append(scene)
      for index in 0..<2 {
        var frame = LineScene.frame(kind: .disparity, scale: 0.5, shift: 0.1)
        frame.index = index
        let error = 0.01 * Float(number + 1)
        for i in frame.lidar.values.indices { frame.lidar.values[i] *= i % 2 == 0 ? 1 + error : 1 - error }
        records += plan.evaluate(frame, of: scene)
      }
    }
    return EvaluationRun(plan: plan, scenes: scenes, records: records, baseline: "lidar-bilinear")
  }

  @Test("Markdown, LaTeX, CSV")
  func files() throws {
    let run = try run()
    let manifest = RunManifest(
      run, inputs: [.init(file: "two.h5", sha256: "ab")], scenePattern: nil, frameRange: nil)
    let document = EvaluationDocument(run, RunVerdict(run), manifest: manifest, title: "two").document
    try GoldenFile.expect(MarkdownRenderer.render(document), Self.folder + "report.md", by: .roundedNumbers)
    try GoldenFile.expect(
      try LatexRenderer.render(document, prefix: "two"), Self.folder + "report.tex", by: .roundedNumbers)
    for (name, table) in RunTables(run).files {
      // The curves' hundred points per method say no more than their formats.
      guard name != "sparsification.csv" else { continue }
      try GoldenFile.expect(table.csv, Self.folder + name, by: .numbers)
    }
  }
}
