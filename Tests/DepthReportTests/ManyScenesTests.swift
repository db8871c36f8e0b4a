import FathomDocuments
import FathomTables
@testable import FathomRunFolders
import DepthCore
import FathomRunSamples
import DepthEvaluation
import DepthFusion
import DepthVerdicts
import Testing

@testable import DepthReport

/// Fitted lines of many scenes that cannot be scored: nothing is computed, all is told.
private func run(scenes: Int, methods: Int) -> EvaluationRun {
  let names = (0..<scenes).map { "room-\($0)" }
  let contexts = names.enumerated().map { number, name in
    var header = SceneHeader(name: name, frameCount: 1)
    header.lidarSize = RasterSize(width: 32, height: 24)
    header.relativeSize = header.lidarSize
    header.relativeKind = .disparity
    header.hasConfidence = number % 2 == 0
    return SceneContext(header: header, name: name)
  }
  let records = names.enumerated().flatMap { number, name in
    (0..<methods).map { method in
      var fusion = FusionResult(status: .noTruth, reason: "the scene has no truth")
      fusion.line = Line(scale: Double(number + 1), shift: 0.5)
      fusion.design = DesignDiagnostics(rank: 2, condition: Double(number * 3 % scenes), spread: 0.2)
      fusion.pairs = 3000
      return FrameRecord(
        scene: name, frameIndex: 0, frame: "0", method: "method-\(method)", space: .disparity, role: .line,
        fusion: fusion, values: [])
    }
  }
  return EvaluationRun(
    plan: EvaluationPlan(methods: MethodCatalogue.standard), scenes: contexts, records: records,
    baseline: "method-0")
}

private func document(_ run: EvaluationRun, files: Int = 1) -> ReportDocument {
  let inputs = (0..<files).map { RunManifest.Input(file: "part-\($0).h5", sha256: "ab") }
  let manifest = RunManifest(run, inputs: inputs, scenePattern: nil, frameRange: nil)
  return EvaluationDocument(run, RunVerdict(run), manifest: manifest, title: "rooms").document
}

private func tables(_ blocks: [ReportDocument.Block]) -> [TableBlock] {
  blocks.compactMap { if case .table(let table) = $0 { table } else { nil } }
}

private func words(_ blocks: [ReportDocument.Block]) -> String {
  blocks.compactMap { if case .paragraph(let text) = $0 { text } else { nil } }.joined(separator: " ")
}

@Suite("Pages of runs of many scenes")
struct ManyScenesTests {
  @Test("a run of 2000 scenes and ten methods is a short page, in every format")
  func size() throws {
    let document = document(run(scenes: 2000, methods: 10), files: 300)
    #expect(try HTMLReport(document) { _ in [] }.render().utf8.count < 200_000)
    #expect(MarkdownRenderer.render(document).utf8.count < 50_000)
    #expect(try LatexRenderer.render(document, prefix: "many").utf8.count < 50_000)
    #expect(try document.json.utf8.count < 200_000)
    let longest = document.allSections.flatMap { tables($0.blocks) }.map { $0.table.rows.count }.max()
    #expect(longest ?? 0 <= 10 * 10)
  }

  @Test("what is omitted is said, and where it is")
  func pointers() throws {
    let document = document(run(scenes: 2000, methods: 2), files: 300)
    let text = MarkdownRenderer.render(document)
    #expect(text.contains("`frames.csv` has the line of every frame."))
    #expect(text.contains("`run.json` names each of the 2000 scenes."))
    #expect(text.contains("2000 scenes without truth"))
    #expect(text.contains("290 more files: `run.json` lists every one."))
    #expect(text.contains("`part-9.h5`") && !text.contains("`part-10.h5`"))
  }

  @Test("up to the limit nothing is omitted")
  func below() throws {
    let document = document(run(scenes: PageLimits.rows, methods: 1), files: PageLimits.names)
    let all = document.allSections.flatMap { tables($0.blocks) }
    for id in ["fits", "data"] {
      #expect(all.first { $0.id == id }?.table.rows.count == PageLimits.rows, "\(id)")
    }
    #expect(!all.contains { $0.id.hasSuffix("-worst") })
    #expect(MarkdownRenderer.render(document).contains("`part-39.h5`"))
  }

  @Test("of many scenes a row for each method: their spread, and the scene in which it has the largest error")
  func spread() throws {
    let run = try StoredRunSample.run(
      scenes: PageLimits.columns + 1, frames: 1, methods: "lidar-bilinear,ols")
    let table = ReportTables.scenes(run, column: .absRel)
    #expect(table.columns.first?.title == "method" && table.columns.last?.title == "highest in")
    for row in table.rows {
      let own = run.aggregation.scenes.filter { $0.method == row[0].text }
      let worst = own.max { ($0.value(.absRel) ?? 0) < ($1.value(.absRel) ?? 0) }
      #expect(row.last?.text == worst?.scene && row[6].value == worst?.value(.absRel).map { $0 * 100 })
    }
    let few = try StoredRunSample.run(scenes: 3, frames: 1, methods: "lidar-bilinear,ols")
    #expect(ReportTables.scenes(few, column: .absRel).columns.count == 4)
  }

  @Test("fits by method, and those that are worst conditioned")
  func fits() throws {
    let fits = try #require(document(run(scenes: 700, methods: 2)).allSections.first { $0.id == "fits" })
    let (summary, worst) = try (#require(tables(fits.blocks).first), #require(tables(fits.blocks).last))
    #expect(summary.table.rows.count == 2 * 3 && summary.id == "fits" && worst.id == "fits-worst")
    let median = summary.table.rows[1]
    #expect(median.prefix(4).map(\.text) == ["method-0", "median", "700", "700"])
    #expect(median[4].value == 350.5)
    let condition = try #require(worst.table.columns.firstIndex { $0.title == "condition" })
    #expect(worst.table.rows.map { $0[condition].value }.prefix(4) == [699, 699, 698, 698])
  }

  @Test("scenes that hold the same share a row")
  func data() throws {
    let data = try #require(document(run(scenes: 601, methods: 1)).allSections.first { $0.id == "data" })
    let table = try #require(tables(data.blocks).first?.table)
    #expect(table.columns.prefix(2).map(\.title) == ["scenes", "frames each"])
    #expect(
      table.rows.map { $0[0].text } == ["301", "300"] && table.rows.map { $0[3].text } == ["yes", "no"])
  }

  @Test func names() {
    let names = (0..<41).map { "a\($0)" }
    #expect(PageLimits.listed(Array(names.prefix(40))) == names.prefix(40).joined(separator: ", "))
    #expect(PageLimits.listed(names) == names.prefix(10).joined(separator: ", ") + " and 31 more")
    #expect(PageLimits.items(Array(names.prefix(40)), rest: "more").count == 40)
    #expect(PageLimits.items(names, rest: "more: `diagnosis.csv`").last == "31 more: `diagnosis.csv`.")
  }
}
