import FathomDocuments
import DepthCharts
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthImport
import DepthVerdicts
import FathomRunFolders
import FathomTestSupport
import Testing

@testable import DepthReport

/// Words of a device's depth, and of commands that need it.
private nonisolated(unsafe) let foreign = /lidar|\bfused\b|\bfusion|\bspec\b|shipped|calibrate|attach/
  .ignoresCase()

/// A run of two networks over single images: "mynet" has an error of 5 % and some thousandths more from image to image, "half" by
/// 2 %, or where it is fitted by 1 % up and down.
///
/// - Parameters:
///   - kind: What the maps of "half" are.
///   - others: Whether there is a network but "mynet".
///   - isCopied: Whether its maps are those of "mynet".
private func run(
  scenes: Int = 8, half kind: StoredPrediction.Kind = .metric, others: Bool = true, refused: Int = 0,
  isCopied: Bool = false
) throws
  -> EvaluationRun
{
  var plan = EvaluationPlan(
    methods: try MethodCatalogue.parse(others ? "stored:mynet,stored:half" : "stored:mynet"))
  if kind != .metric { plan.rules.alignment.fit = .byKind }
  var (contexts, records) = ([SceneContext](), [FrameRecord]())
  for scene in 0..<scenes {
    let networks =
      [MapScene.Network("mynet", factor: 1.05 + Float(scene) / 1000)]
      + (others
        ? [
          MapScene.Network(
            "half", kind, factor: scene < refused ? .nan : isCopied ? 1.05 + Float(scene) / 1000 : 1.02)
        ] : [])
    let context = SceneContext(header: MapScene.header("image-\(scene)", networks), name: "image-\(scene)")
    contexts.append(context)
    var frame = MapScene.frame(networks)
    if kind != .metric, others {
      // A fit would leave nothing of a factor.
      for i in frame.predictions[1].map.values.indices {
        frame.predictions[1].map.values[i] *= i % 2 == 0 ? 1.01 : 0.99
      }
    }
    records += plan.evaluate(frame, of: context)
  }
  return EvaluationRun(plan: plan, scenes: contexts, records: records, baseline: "stored:mynet")
}

private func manifest(_ run: EvaluationRun) -> RunManifest {
  var manifest = RunManifest(
    run, inputs: [.init(file: "gt", sha256: "ab")], scenePattern: nil, frameRange: nil)
  manifest.maps = MapSetRequest(
    predictions: run.networks.map { MapRequest(name: $0, path: "pred/\($0)") },
    truth: MapRequest(name: nil, path: "gt"))
  return manifest
}

private func document(_ run: EvaluationRun, figures: EvaluationFigures? = nil) -> ReportDocument {
  EvaluationDocument(
    run, RunVerdict(run), manifest: manifest(run), title: run.networks.joined(separator: "+"),
    figures: figures
  ).document
}

private func answer(_ run: EvaluationRun) -> RunAnswer {
  RunAnswer(run, RunVerdict(run), commands: RunCommands(run.scenes, manifest(run)))
}

private func line(_ label: String, _ run: EvaluationRun) -> String {
  answer(run).lines.first { $0.label == label }?.text ?? ""
}

@Suite("The first screen of a run")
struct RunOverviewTests {
  private func overview(_ run: EvaluationRun, isDoubted: Bool = false) -> OverviewBlock {
    RunOverview(answer(run), nil, isDoubted: isDoubted).block(nil)
  }

  @Test(
    "a network with a lower error than the other in eight images is better, and its numbers are the tables'")
  func better() throws {
    let run = try run()
    let shown = overview(run)
    #expect(shown.badge.kind == .better && shown.badge.sentence == "Better: half against mynet")
    let row = try #require(run.aggregation.summary.first { $0.method == "stored:half" })
    let millimetres = try #require(row.value(.mae)) * 1000
    let rows = try #require(shown.comparison?.table.rows)
    #expect(rows.map(\.first?.number) == ["half", "mynet"])
    #expect(abs(try #require(rows[0][1].value) - millimetres) < 1e-9 * millimetres)
    #expect(shown.comparison?.reference == rows[1][1].value)
    #expect(
      shown.tiles.map(\.label) == ["MAE of half", "half against mynet", "Ground truth"])
    #expect(shown.tiles[0].value == rows[0][1].number + " mm")
  }

  @Test("too few images tell nothing, one network is measured, a warning is a doubt")
  func open() throws {
    let few = overview(try run(scenes: 4)).badge
    #expect(few.kind == .open && few.text == "half against mynet: 4 images, and a test needs 6")
    let alone = overview(try run(others: false))
    #expect(alone.badge.word == "Measured" && alone.comparison == nil)
    #expect(overview(try run(), isDoubted: true).badge.kind == .doubtful)
    // What was fitted to the truth wins by the fit.
    let shown = overview(try run(half: .disparity)), mixed = shown.badge
    #expect(shown.tiles.map(\.label) == ["MAE of half, fitted to the truth", "Ground truth"])
    #expect(
      mixed.word == "Not comparable" && mixed.sentence.hasSuffix("only one of them was fitted to the truth"))
  }
}

@Suite("The report of networks' maps and a truth")
struct MapReportTests {
  /// Everything that people and programs read of a run, by what it is.
  private func texts(_ run: EvaluationRun) throws -> [(name: String, text: String)] {
    let verdict = RunVerdict(run)
    let figures = EvaluationFigures(run, verdict)
    let (plain, drawn) = (document(run), document(run, figures: figures))
    let page = try HTMLReport(plain) { _ in [] }.render()
      .replacing(/<(script|style)[^>]*>(?s:.)*?<\/\1>/, with: "")
    let answer = answer(run)
    let terminal =
      answer.lines.map(\.text) + answer.methods + [ReportTables.methods(run, verdict).plain]
    return [
      ("report.html", page), ("report.md", MarkdownRenderer.render(drawn)),
      ("report.tex", try LatexRenderer.render(drawn, prefix: "maps")), ("report.json", try drawn.json),
      // Keys are those of every run.
      ("verdict.json", try verdict.json.replacing(/"[A-Za-z]+" ?:/, with: "")),
      ("terminal", terminal.joined(separator: "\n")),
      ("charts", ChartRenderer.svg(figures.all).joined(separator: "\n")),
    ]
  }

  @Test(
    "page, terminal, Markdown, LaTeX and charts of a run without a LiDAR have no word of one",
    arguments: StoredPrediction.Kind.allCases, [3, 8])
  func words(kind: StoredPrediction.Kind, scenes: Int) throws {
    for (name, text) in try texts(try run(scenes: scenes, half: kind)) {
      for found in text.split(separator: "\n").filter({ $0.contains(foreign) }) {
        Issue.record("\(name): \(found.prefix(300))")
      }
      // Ids are for tables that programs read.
      if !name.hasSuffix(".json"), name != "report.html" {
        #expect(!text.replacing("definition-stored:", with: "").contains("stored:"), "\(name)")
      }
    }
  }

  @Test("of one network as well")
  func oneNetwork() throws {
    for (name, text) in try texts(try run(others: false)) {
      #expect(!text.contains(foreign), "\(name)")
    }
    #expect(
      line("Answer", try run(others: false)).contains(
        #/^\*\*mynet\*\* has an MAE of [\d.]+ mm, AbsRel 5\.\d+ %, δ₁ 100(\.0+)? %\.$/#))
    #expect(answer(try run(others: false)).methods.isEmpty)
  }

  @Test("two networks with the same error share the first place, and more images would not part them")
  func equals() throws {
    let run = try run(isCopied: true)
    #expect(
      line("Answer", run).contains(
        #/^\*\*mynet\*\* and \*\*half\*\* have the same MAE, [\d.]+ mm\. The error is the same in every image: /#
      ))
    #expect(!line("Answer", run).contains("lowest"))
    #expect(line("Next", run).contains("makes a page of all images"))
  }

  @Test("the first sentence names the better network, and by how much its error is lower")
  func firstSentence() throws {
    let run = try run()
    #expect(
      line("Answer", run).contains(
        #/^\*\*half\*\* has the lowest error of 2 networks: MAE [\d.]+ mm, 6\d % less than mynet’s \d+ mm\. The difference, /#
      ))
    #expect(line("Measured", run) == "8 images, each a scene of its own, protocol fathom.")
    #expect(document(run).title == "mynet, half against gt: accuracy of depth maps")
    #expect(document(run).caveat == nil)
  }

  @Test("where the baseline is best, the next is told once, with the test of the difference")
  func baselineIsBest() throws {
    let given = try run()
    let run = EvaluationRun(
      plan: given.plan, scenes: given.scenes, records: Array(given.records), baseline: "stored:half")
    let text = line("Answer", run)
    #expect(
      text.contains(
        #/^\*\*half\*\* has the lowest error of 2 networks: MAE [\d.]+ mm; the next, mynet, has \d+ mm, \d+ % more\. The difference, /#
      ))
    #expect(!text.contains("asks about"))
  }

  @Test("the first line says which maps were fitted to the truth, and tables mark them")
  func fitted() throws {
    let run = try run(half: .disparity)
    let measured = line("Measured", run)
    #expect(
      measured.contains(
        "Maps of half are disparity: each was fitted to the truth by scale and shift (1/g = α·r + β), so scale and shift are not judged."
      ))
    #expect(measured.hasSuffix("Maps of mynet are metric and were scored as they are."))
    let caveat = try #require(document(run).caveat)
    #expect(
      caveat.hasPrefix("Maps of half are fitted to the truth (by their kind, image by image). An app has"))
    let rows = ReportTables.methods(run, RunVerdict(run)).rows.compactMap(\.first?.number)
    #expect(Set(rows) == ["mynet", "half (fitted to the truth)"])
    var plan = run.plan
    plan.rules.alignment = TruthAlignment(.median)
    let named = EvaluationRun(
      plan: plan, scenes: run.scenes, records: Array(run.records), baseline: run.baseline)
    #expect(
      document(named).caveat
        == "All maps are fitted to the truth (median, image by image). An app has no truth: their numbers measure shape only."
    )
    #expect(
      line("Measured", named).hasSuffix(
        "Maps of mynet, half were fitted to the truth (median, image by image), so scale is not judged."))
  }

  @Test("what a fit sets is not a cause, and metric maps beside fitted ones are told apart")
  func causes() throws {
    let given = try run(half: .disparity)
    #expect(line("Answer", given).hasSuffix("not compared: only one of them was fitted to the truth."))
    let own = try #require(answer(given).methods.first)
    #expect(own.contains("at every depth, which makes 100 % of the error: a scale"))
    #expect(!line("Answer", try run()).contains("Beware"))
    var plan = given.plan
    plan.rules.alignment = TruthAlignment(.median)
    let fitted = EvaluationRun(
      plan: plan, scenes: given.scenes, records: Array(given.records), baseline: given.baseline)
    let words = answer(fitted).methods.joined()
    #expect(words.contains("at every depth, which makes 100 % of the error.") && !words.contains("a scale"))
  }

  @Test("where so few images cannot tell, no line says better")
  func untold() throws {
    let lines = answer(try run(scenes: 4)).methods
    #expect(lines.count == 2 && !lines[1].contains("**better**") && lines[1].contains("**less error**"))
    #expect(lines[1].contains("; 4 images cannot say whether this holds elsewhere."))
  }

  @Test("an image without depth is counted, and told of its network")
  func withoutDepth() throws {
    let given = try run(scenes: 6, others: false)
    let empty = given.plan.evaluate(
      MapScene.frame([MapScene.Network("mynet", factor: .nan)]), of: given.scenes[2])
    let records = given.records.map { $0.scene == "image-2" ? empty[0] : $0 }
    let run = EvaluationRun(
      plan: given.plan, scenes: given.scenes, records: records, baseline: given.baseline)
    #expect(line("Measured", run).hasPrefix("6 images"))
    #expect(answer(run).methods.first?.contains("It gave no depth in 1 of 6 images.") == true)
    let share = try #require(CoverageOfTruth(run).value("stored:mynet"))
    #expect(abs(share - 5.0 / 6) < 1e-12)
  }

  @Test("where no file could be read, the first one's error is named")
  func unreadable() throws {
    let given = try run(scenes: 1)
    let run = EvaluationRun(
      plan: given.plan, scenes: [], records: [FrameRecord](), baseline: given.baseline,
      unreadable: [UnreadableFile(name: "p", reason: "0.npy: the array is cut short")])
    let lines = RunAnswer(run, RunVerdict(run), commands: RunCommands([], manifest(given))).lines
    #expect(
      lines.map(\.text).dropFirst() == [
        "None: no image was scored. p: 0.npy: the array is cut short.",
        "Fix or remove that file, and evaluate again.",
      ])
  }

  @Test("an image that is a scene has one name, and nothing of several")
  func names() throws {
    let given = try run(scenes: 1)
    #expect(line("Measured", given) == "1 image, protocol fathom.")
    #expect(given.place("0001", "0001") == "0001" && given.place("a", "0") == "a/0")
  }

  @Test("the next command works: the page of all images, or more images")
  func next() throws {
    let run = try run()
    #expect(
      line("Next", run)
        == "`fathom frames FOLDER` makes a page of all images; FOLDER is the folder of this page. The largest AbsRel of half is in image-0."
    )
    let commands = RunCommands(run.scenes, manifest(run), folder: "Reports/my run")
    let known = RunAnswer(run, RunVerdict(run), commands: commands).lines.last?.text ?? ""
    #expect(known.hasPrefix("`fathom frames 'Reports/my run'` makes a page") && !known.contains("FOLDER"))
    let few = try MapReportTests.few()
    #expect(few == "Evaluate at least \(ContrastVerdict.fewestScenes) images.")
    #expect(
      line("Next", try MapReportTests.oneRefused()).hasSuffix(
        " images in which both half and mynet give depth: here there are 5 of 6."))
  }

  private static func oneRefused() throws -> EvaluationRun { try run(scenes: 6, refused: 1) }

  private static func few() throws -> String { line("Next", try run(scenes: 3)) }

  @Test("nothing scored names the commonest cause")
  func nothingScored() throws {
    let given = try run(scenes: 2)
    var plan = given.plan
    (plan.rules.minDepth, plan.rules.maxDepth) = (20, 30)
    let networks = [MapScene.Network("mynet", factor: 1)]
    let records = given.scenes.flatMap { plan.evaluate(MapScene.frame(networks), of: $0) }
    let run = EvaluationRun(
      plan: plan, scenes: given.scenes, records: records, baseline: "stored:mynet")
    #expect(
      line("Answer", run)
        == "None: no map was scored. The most frequent reason, for 2 of 4 maps: no truth pixel in range.")
  }

  @Test("the report stays what it is, word for word")
  func golden() throws {
    let run = try run(half: .disparity)
    try GoldenFile.expect(
      MarkdownRenderer.render(document(run, figures: EvaluationFigures(run, RunVerdict(run)))),
      "Tests/DepthReportTests/Golden/maps/report.md", by: .roundedNumbers)
  }

  @Test("a table of the data says what there is, in one row for images that are alike")
  func data() throws {
    let table = ReportTables.data(try run())
    #expect(table.columns.map(\.title) == ["scene", "images", "predictions", "truth"])
    #expect(table.rows[0].map(\.text) == ["image-0", "1", "mynet 32×24, half 32×24", "32×24"])
    let shown = document(try run()).allSections.first { $0.id == "data" }?.blocks ?? []
    let rows = shown.compactMap { if case .table(let block) = $0 { block.table.rows.count } else { nil } }
    #expect(rows == [1])
  }
}
