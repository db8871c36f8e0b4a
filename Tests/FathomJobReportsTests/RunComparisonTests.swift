import FathomDocuments
import FathomTables
@testable import FathomRunFolders
import DepthCharts
import DepthEvaluation
import FathomRunSamples
import DepthFusion
import DepthVerdicts
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@testable import FathomJobReports

@Suite("Stored runs compared with each other")
struct RunComparisonTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a run and reads it back.
  private func stored(
    _ name: String, scenes: Int = 2, frames: Int = 2, options: FusionOptions = FusionOptions(),
    methods: String = "lidar-bilinear,spec,ols,huber,oracle", digest: String = "ab",
    change: (inout JSONValue) -> Void = { _ in }
  ) throws -> StoredRun {
    let run = try StoredRunSample.run(scenes: scenes, frames: frames, options: options, methods: methods)
    let manifest = RunManifest(
      run, inputs: [.init(file: "rooms.h5", sha256: digest)], scenePattern: nil, frameRange: nil)
    var document = try #require(JSONValue(encoding: manifest))
    change(&document)
    try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    let files = [
      ("run.json", try JSONEncoder().encode(document)), ("frames.csv", Data(FrameTable.table(run).csv.utf8)),
    ]
    for (file, data) in files { try data.write(to: URL(fileURLWithPath: folder.path(name + "/" + file))) }
    return try StoredRun(readingFrom: folder.path(name))
  }

  private func compare(_ runs: StoredRun..., change: (inout RunComparison.Request) -> Void = { _ in }) throws
    -> RunComparison
  {
    let metric = try #require(ComparedColumn.named("mae_m_measured"))
    var request = RunComparison.Request(metric: metric)
    change(&request)
    return try RunComparison(runs, request)
  }

  /// Every scene in a file of this digest; nil takes the digest away, as in runs of 0.1.
  private func scenes(_ document: inout JSONValue, in data: [String?], prefix: String = "") {
    guard case .list(let list)? = document["scenes"] else { return }
    document["scenes"] = .list(
      list.enumerated().map { index, scene in
        var scene = scene
        scene["data"] = data[index % data.count].map { .text($0) }
        return scene
      })
  }

  @Test("an option that differs, methods that a run lacks, differences that agree with the records")
  func findings() throws {
    var near = FusionOptions()
    near.maxDepth = 2
    let (a, b) = (
      try stored("a"), try stored("b", options: near, methods: "lidar-bilinear,spec,ols,lad,oracle")
    )
    let comparison = try compare(a, b)
    let candidate = comparison.candidates[0]
    #expect(
      candidate.options == [OptionChange(option: "options.maxDepth", reference: "4.0", value: "2.0")]
        || candidate.options == [OptionChange(option: "options.maxDepth", reference: "4", value: "2")])
    #expect(candidate.missingMethods == ["huber@disparity"] && candidate.newMethods == ["lad@disparity"])
    #expect(candidate.frames == 4 && candidate.scenes == 2 && candidate.leftOut.isEmpty)
    let pair = MethodPair(reference: "ols@disparity", candidate: "ols@disparity")
    let found = try #require(
      comparison.differences[0].difference(pair, "mae_m_measured", .solved)?.comparison)
    func mean(_ run: StoredRun) -> Double {
      let rows = run.frames.records.filter { $0.method == "ols@disparity" }
      let scenes = Dictionary(grouping: rows, by: \.scene).mapValues { rows in
        rows.compactMap { $0.value(.maeMeasured) }.reduce(0, +) / Double(rows.count)
      }
      return scenes.values.reduce(0, +) / Double(scenes.count)
    }
    #expect(abs(found.difference - (mean(b) - mean(a))) < 1e-12)
    let sentences = RunComparisonFindings(comparison).sentences.joined(separator: "\n")
    #expect(
      sentences.contains("Only a has huber@disparity") && sentences.contains("Only b has lad@disparity"))
    #expect(comparison.oracles == ["oracle@disparity"])
    let verdict = RunComparisonVerdict(comparison)
    let row = try #require(verdict.runs[0].methods.first { $0.reference == "ols@disparity" })
    // Two scenes have no interval: nothing can be told, whichever way the means went.
    #expect(
      row.difference == comparison.differences[0].headline(pair, "mae_m_measured")?.comparison?.difference)
    #expect(row.outcome == .undecided && row.evidence == .range && row.low == nil)
    #expect(verdict.next == .needsScenes && verdict.gate == nil)
    let text = try CanonicalJSON.text(verdict)
    #expect(try CanonicalJSON.value(RunComparisonVerdict.self, from: text) == verdict)
  }

  @Test("a run that leaves out pixels is not called better")
  func coverage() throws {
    let a = try stored("a")
    _ = try stored("b")
    let path = folder.path("b/frames.csv")
    var rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    func place(_ name: String) throws -> Int { try #require(rows[0].firstIndex(of: name)) }
    let (method, error, coverage) = (try place("method"), try place("mae_m_measured"), try place("coverage"))
    for index in rows.indices where rows[index][method] == "ols@disparity" {
      rows[index][error] = "\(try #require(Double(rows[index][error])) / 2)"
      rows[index][coverage] = "\(try #require(Double(rows[index][coverage])) * 0.8)"
    }
    try rows.map { $0.joined(separator: ",") + "\n" }.joined().write(
      toFile: path, atomically: true, encoding: .utf8)
    let comparison = try compare(a, try StoredRun(readingFrom: folder.path("b")))
    let found = RunComparisonVerdict(comparison).runs[0].methods
    let row = try #require(found.first { $0.reference == "ols@disparity" })
    let shares = (try #require(row.referenceCoverage), try #require(row.coverage))
    #expect(row.outcome == .notComparable && abs(shares.1 - 0.8 * shares.0) < 1e-9)
    let text = RunComparisonFindings(comparison).sentences.joined(separator: "\n")
    #expect(text.contains("not comparable: ols@disparity (b leaves out pixels that a covers, coverage "))
  }

  @Test("a part of the data: shared frames only, the rest is counted")
  func part() throws {
    let (whole, part) = (try stored("whole", scenes: 3, frames: 3), try stored("part", scenes: 2, frames: 2))
    let candidate = try compare(whole, part).candidates[0]
    #expect(candidate.scenes == 2 && candidate.frames == 4)
    #expect(
      candidate.leftOut == [
        "skipped: 3 frames of 1 scene (room-2) and 2 frames of scenes that both have of whole, which part does not have"
      ])
  }

  @Test("data are told by content: scenes of one name and other bytes are refused")
  func otherData() throws {
    let a = try stored("a")
    let b = try stored("b", digest: "cd") { scenes(&$0, in: ["cd"]) }
    #expect(throws: ComparisonRefusal.self) { try compare(a, b) }
    let comparison = try compare(a, b) { $0.allowsDifferentData = true }
    #expect(
      comparison.candidates[0].warnings == [
        "scene room-0 has different data in b than in a", "scene room-1 has different data in b than in a",
      ])
    #expect(RunComparisonFindings(comparison).caveat?.hasPrefix("Compared although scene room-0") == true)
    // One scene of two is of another file: what is shared is not enough to be silent about it.
    let mixed = try stored("mixed", digest: "cd") { scenes(&$0, in: ["ab", "cd"]) }
    #expect(throws: ComparisonRefusal.self) { try compare(a, mixed) }
  }

  @Test("runs of 0.1, which do not name a scene's file, are of the same data where all files are")
  func older() throws {
    let a = try stored("a") { scenes(&$0, in: [nil]) }
    #expect(try compare(a, try stored("b")).candidates[0].frames == 4)
    let c = try stored("c", digest: "cd") {
      scenes(&$0, in: [nil])
      $0["version"] = .text("0.0.9")
    }
    #expect(throws: ComparisonRefusal.self) { try compare(a, c) }
  }

  @Test("another protocol is refused; the words name the difference")
  func otherProtocol() throws {
    let a = try stored("a")
    let b = try stored("b") { $0["protocol"]?["maxDepth"] = .number(8.5) }
    do throws(ComparisonRefusal) {
      _ = try RunComparison([a, b], RunComparison.Request(metric: .framesSolved))
      Issue.record("it was not refused")
    } catch {
      #expect(error.description.contains("protocol.maxDepth 10 and 8.5") && error.kind == .badData)
    }
    let comparison = try compare(a, b) { $0.allowsDifferentProtocol = true }
    #expect(comparison.candidates[0].warnings.count == 1)
  }

  @Test("three runs: one family, named by path where names are alike; every table and figure has its rows")
  func several() throws {
    var near = FusionOptions()
    near.maxDepth = 2
    let runs = [try stored("a"), try stored("b", options: near), try stored("x/a")]
    let comparison = try compare(runs[0], runs[1], runs[2]) {
      $0.rules = [try! WorseningRule("mae_m_measured"), try! WorseningRule("coverage:1%")]
    }
    #expect(
      comparison.label == folder.path("a") && comparison.candidates.map(\.label) == ["b", folder.path("x/a")])
    let pair = MethodPair(reference: "ols@disparity", candidate: "ols@disparity")
    #expect(comparison.differences[0].headline(pair, "mae_m_measured")?.comparison?.familySize == 10)
    let files = RunComparisonTables(comparison).files
    let differences = try #require(files.first { $0.name == "differences.csv" }?.table)
    // Thirty-one metrics in two forms, coverage and solved frames in one.
    #expect(differences.rows.count == 2 * 5 * (2 * (MetricColumn.standard.count - 1) + 2))
    let figures = RunComparisonFigures(comparison).all
    #expect(figures.map(\.name) == ["difference-mae-m-measured", "difference-coverage", "scenes-1"])
    let document = RunComparisonDocument(comparison, figures: figures).document
    #expect(
      document.allSections.map(\.id) == [
        "answer", "findings", "methods", "gate", "metrics", "solved", "options", "runs", "statistics",
      ])
    let page = MarkdownRenderer.render(document)
    #expect(page.contains("The gate cannot judge anything") && !page.contains("finds nothing worse"))
    let gate = try #require(RunComparisonVerdict(comparison).gate)
    #expect(gate.outcome == .nothingJudged && gate.unjudged.count == gate.comparisons)
    #expect(gate.unjudged.allSatisfy { $0.cause == .tooFewScenes && $0.scenes == 2 })
    #expect(page.contains("cannot tell") && page.contains("options.maxDepth") && !page.contains("nan"))
    let manifest = RunComparisonManifest(comparison, digests: ["1", "2", "3"])
    #expect(
      manifest.verdict == "unknown" && manifest.runs.map(\.role) == ["reference", "candidate", "candidate"])
    #expect(try manifest.json == RunComparisonManifest(comparison, digests: ["1", "2", "3"]).json)
  }

  @Test("sentences begin with a metric's own letters; differences of shares are in percentage points")
  func words() throws {
    let titles = ["delta_1", "irmse_per_m", "coverage", "mae_m_measured", "log10", "median_ae_m"].map {
      ComparedColumn.named($0).map(RunComparisonFindings.title)
    }
    #expect(titles == ["δ₁", "iRMSE", "Coverage", "MAE, measured pixels", "log₁₀", "Median |error|"])
    let delta = try #require(ComparedColumn.named("delta_1"))
    #expect(RunComparisonFindings.signed(0.0303, delta) == "+3.03 percentage points")
    #expect(DifferenceMeasure(delta).text(0.0303) == "+3.03")
  }

  @Test("charts are in the units of an evaluation's, and their words hold the numbers")
  func figures() throws {
    var near = FusionOptions()
    near.maxDepth = 2
    let comparison = try compare(try stored("a"), try stored("b", options: near))
    let pair = MethodPair(reference: "ols@disparity", candidate: "ols@disparity")
    let found = try #require(comparison.differences[0].headline(pair, "mae_m_measured")?.comparison)
    let charts = RunComparisonFigures(comparison).all.compactMap { figure in
      if case .chart(let chart) = figure { chart } else { Chart?.none }
    }
    #expect(charts.map(\.y.unit) == ["mm", "mm"])
    let place = try #require(charts[0].categories?.firstIndex(of: "ols@disparity"))
    #expect(charts[0].series[0].y[place] == found.difference * 1000)
    let measure = DifferenceMeasure(comparison.request.metric)
    #expect(charts[0].alt.contains("ols@disparity \(measure.text(found.difference, found.interval))"))
    #expect(
      charts[0].alt.contains("means over 2 scenes, too few for intervals") && !charts[0].alt.contains(" mm [")
    )
    #expect(charts[1].alt.contains(" mm in room-"))
    let runs = RunComparisonDisplay(comparison).runs
    #expect(!runs.markdown.contains("`"))
  }

  @Test("differences show the metric's unit", arguments: MetricColumn.all)
  func units(_ column: MetricColumn) {
    let (difference, display) = (DifferenceMeasure(ComparedColumn(column)), column.metric.display)
    #expect(difference.scale == display.scale)
    #expect(difference.unit == (display == .percent ? DifferenceMeasure.points : display.symbol))
  }

  @Test("refusals, and a run against itself")
  func identical() throws {
    let a = try stored("a")
    let comparison = try compare(a, a)
    #expect(comparison.differences[0].rows.allSatisfy { $0.comparison.map { $0.difference == 0 } ?? true })
    #expect(comparison.candidates[0].label == folder.path("a") + " (2)")
    let verdict = RunComparisonVerdict(comparison).runs[0]
    let methods = verdict.methods
    // What has depth in no frame of either run is named, and has no row.
    #expect(verdict.withoutDepth == ["spec"])
    let display = RunComparisonDisplay(comparison)
    for table in [display.methods(comparison.request.metric), display.metrics, display.solved] {
      #expect(table.rows.count == 4 && !table.markdown.contains("spec"))
    }
    #expect(
      RunComparisonFindings(comparison).sentences.contains {
        $0.hasPrefix("spec has no depth in any shared frame")
      })
    #expect(methods.count == 4 && methods.allSatisfy { $0.outcome == .same && $0.difference == 0 })
    #expect(throws: ComparisonRefusal.self) { try compare(a, a) { $0.methods = ["nothing"] } }
    #expect(throws: ComparisonRefusal.self) { try compare(a, a) { $0.methods = ["a=b=c"] } }
    let crossed = try compare(a, a) { $0.methods = ["ols=huber@disparity", "spec"] }
    #expect(crossed.candidates[0].pairs.map(\.title) == ["ols@disparity → huber@disparity", "spec"])
  }
}
