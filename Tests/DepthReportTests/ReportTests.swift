import FathomDocuments
import FathomTables
@testable import FathomRunFolders
import FathomPlainText
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthVerdicts
import Foundation
import FathomTestSupport
import Testing
import FathomStorage

@testable import DepthReport

/// One disparity scene of two frames, evaluated.
private func run(
  _ independence: TruthIndependence = .render, truth: Bool = true, methods: String = "default"
) throws -> EvaluationRun {
  var header = SceneHeader(name: "desk", frameCount: 2)
  header.lidarSize = RasterSize(width: 32, height: 24)
  header.relativeSize = header.lidarSize
  header.relativeKind = .disparity
  header.hasConfidence = true
  header.truthSize = truth ? header.lidarSize : nil
  header.truthIndependence = independence
  let scene = SceneContext(header: header, name: "desk")
  let plan = EvaluationPlan(methods: try MethodCatalogue.parse(methods))
  var records: [FrameRecord] = []
  for index in 0..<2 {
    var frame = LineScene.frame(kind: .disparity, scale: 0.5, shift: 0.1)
    frame.index = index
    for i in frame.lidar.values.indices { frame.lidar.values[i] *= i % 2 == 0 ? 1.01 : 0.99 }
    frame.lidar.values[5] = 0
    if !truth { frame.truth = nil }
    records += plan.evaluate(frame, of: scene)
  }
  return EvaluationRun(
    plan: plan, scenes: [scene], records: records, baseline: "lidar-bilinear",
    unreadable: [UnreadableFile(name: "broken", reason: "it is, \"really\"")])
}

@Suite("Tables")
struct TableTests {
  @Test("CSV: quoting, full precision, empty cells")
  func csv() {
    let table = DataTable(
      columns: ["a", "b,c"],
      rows: [
        [.text("x\"y"), .number(0.1 + 0.2)], [.empty, .integer(3)], [.number(.infinity), .text("l\nm")],
      ])
    #expect(table.csv == "a,\"b,c\"\n\"x\"\"y\",0.30000000000000004\n,3\ninf,l\\u{a}m\n")
  }

  @Test func jsonHasNullForNoValue() throws {
    let table = DataTable(
      columns: ["a", "b"], rows: [[.empty, .number(1.5)], [.number(.infinity), .text("t")]])
    let rows = try #require(
      JSONSerialization.jsonObject(with: Data(table.json.utf8)) as? [[String: Any]])
    #expect(rows[0]["a"] is NSNull && rows[0]["b"] as? Double == 1.5 && rows[1]["a"] is NSNull)
  }

  @Test(
    arguments: [
      (0.000012345, "0.00001234"), (0.0099999999, "0.01000"), (0.0024069, "0.002407"), (1234.56, "1235"),
      (0, "0"), (-0.25, "−0.2500"),
      (1e-9, "1.000E-9"), (99.999999, "100.0"),
    ])
  func rounding(_ value: Double, _ text: String) { #expect(Quantity(value, .significant()).text == text) }

  @Test(
    "as many digits as the interval supports, four at most",
    arguments: [
      (16.851, 15.1, 21.7, "16.9 [15.1, 21.7]"), (-0.025, -1.8, 0.76, "0.0 [−1.8, 0.8]"),
      (365, 274, 508, "365 [274, 508]"), (59.999944, 59.999943, 59.999945, "60.00 [60.00, 60.00]"),
      (0.59, 0.526, 0.706, "0.590 [0.526, 0.706]"), (2, 2, 2, "2.00 [2.00, 2.00]"),
    ])
  func supported(_ value: Double, _ low: Double, _ high: Double, _ text: String) {
    #expect(Quantity(value, .supported(), low: low, high: high).text == text)
  }

  @Test func roundingNothing() {
    #expect(Quantity(nil, .significant()).text == "–")
    #expect(Quantity(.infinity, .significant()).text == "∞")
    #expect(Quantity(0.0123, .length).text == "12.3 mm")
    #expect(Quantity(1.5, .length).text == "1.500 m")
  }

  @Test("the columns of frames.csv: what a row is, then every metric")
  func frameColumns() throws {
    let table = FrameTable.table(try run())
    let row = [
      "scene", "frame", "method", "space", "status", "reason", "pairs", "inliers", "scale", "shift", "rank",
      "condition", "spread", "truth_pixels",
    ]
    #expect(table.columns.starts(with: row + MetricColumn.standard.map(\.id)))
    #expect(table.rows.count == 2 * (MethodCatalogue.standard.count - 1) + 1)
    #expect(table.rows.suffix(1).last?[4] == .text("unreadable"))
  }

  @Test("differences in summary.csv are the paired ones")
  func differences() throws {
    let run = try run()
    let table = SummaryTable.table(run)
    let place = Dictionary(uniqueKeysWithValues: table.columns.enumerated().map { ($1, $0) })
    func rows(_ wanted: [String: String]) -> [DataRows.Row] {
      table.rows.filter { row in
        wanted.allSatisfy { name, text in place[name].map { row[$0] == .text(text) } ?? false }
      }
    }
    let wanted = [
      "method": "ols@disparity", "statistic": "difference", "metric": "mae_m", "support": "measured",
    ]
    let own = rows(wanted.merging(["reference": "lidar-bilinear", "form": "solved"]) { $1 })
    let comparison = try #require(
      run.comparison(
        of: "ols@disparity", against: "lidar-bilinear", column: .maeMeasured, form: .solvedFrames))
    let (value, low, unit) = try (
      #require(place["value"]), #require(place["low"]), #require(place["unit"])
    )
    #expect(own.count == 1 && own.first?[value] == .number(comparison.difference))
    #expect(comparison.difference < 0)
    // One scene: no interval.
    #expect(own.first?[low] == .empty && own.first?[unit] == .text("m"))
    #expect(rows(wanted.merging(["reference": "spec", "form": "fallback"]) { $1 }).count == 1)
    #expect(rows(["method": "lidar-bilinear", "reference": "lidar-bilinear"]).isEmpty)
  }
}

@Suite("The report")
struct MarkdownReportTests {
  private func page(_ run: EvaluationRun) throws -> String {
    let manifest = RunManifest(
      run, inputs: [.init(file: "desk.h5", sha256: "ab")], scenePattern: nil, frameRange: nil)
    return MarkdownRenderer.render(
      EvaluationDocument(run, RunVerdict(run), manifest: manifest, title: "desk").document)
  }

  @Test("findings say what the relative map does to spec, and the gain")
  func findings() throws {
    let text = try page(run())
    #expect(
      text.contains(
        "gives no depth in any of 2 frames: it fits depth = α·r + β to the relative map r by least squares and accepts 0.01 < α < 100; larger relative values are nearer, so α is negative in 2 of 2 frames."
      ))
    #expect(text.contains("has the lowest error of ") && text.contains("less than the raw LiDAR’s "))
    #expect(!text.contains("| 0/2") && text.contains("`spec` gave no depth in any frame"))
    #expect(!text.contains("cannot show a gain"))
    #expect(text.contains("Protocol fathom: ") && text.contains("truth 0.1 < g ≤ 10.0 m; "))
    #expect(!text.contains("{{") && !text.contains("&quot;") && !text.contains("Optional("))
  }

  @Test(
    "truth from the same sensor is said in the first line",
    arguments: [TruthIndependence.sameSensor, .multiview, .unknown])
  func caveat(_ independence: TruthIndependence) throws {
    let lines = try page(run(independence)).split(separator: "\n")
    let measured = lines.prefix(4).first { $0.hasPrefix("**Measured.**") }
    #expect(measured?.contains("cannot show a gain over the LiDAR") == true, "\(lines.prefix(5))")
    // Depth of the LiDAR itself holds no error of the LiDAR, and truth of unknown origin may be that.
    let next = lines.first { $0.hasPrefix("**Next.**") }
    #expect(next?.contains("fathom calibrate") == (independence == .multiview), "\(next ?? "none")")
  }

  @Test("a tie with the baseline is not a gain over it")
  func tie() throws {
    let text = try page(run(methods: "lidar-nearest,lidar-bilinear"))
    #expect(text.contains("**No method beats the raw LiDAR**"))
  }

  @Test func noTruth() throws {
    let text = try page(run(truth: false))
    #expect(text.contains("without truth") && text.contains("--truth multiview"))
    #expect(text.contains("| no truth"))
    // No table of dashes.
    #expect(!text.contains("| AbsRel [") && !text.contains("## Against"))
  }

  @Test("numbers of the report are those of the tables")
  func sameNumbers() throws {
    let run = try run()
    let text = try page(run)
    let raw = try #require(run.aggregation.summary.first { $0.method == "lidar-bilinear" })
    for column in [MetricColumn.absRel, .mae, .rmse] {
      let scale = LengthUnit.millimetres.display(column.metric).scale
      #expect(text.contains(Quantity(raw.value(column), .supported(times: scale)).text))
    }
  }

  @Test func manifestIsStableJSON() throws {
    let run = try run()
    let manifest = RunManifest(run, inputs: [], scenePattern: nil, frameRange: nil)
    #expect(try manifest.json == manifest.json)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(manifest.json.utf8)) as? [String: Any])
    #expect(object["version"] as? String == Version.current)
    #expect((object["counts"] as? [String: Int])?["rows"] == 2 * (MethodCatalogue.standard.count - 1))
    #expect((object["options"] as? [String: Any])?["inlierThreshold"] as? String == "2.5mad")
  }
}
