import FathomTables
@testable import FathomRunFolders
import DepthCore
import DepthFusion
import DepthVerdicts
import Foundation
import FathomPlainText
import FathomTestSupport
import FathomStorage
import Testing

@testable import DepthEvaluation
@testable import DepthReport

@Suite("The result linter")
struct ResultLinterTests {
  private func problems(_ csv: String) throws -> [String] {
    var table = try ResultRows(csv)
    let linter = ResultLinter(header: table.header)
    var problems = linter.doubledColumns.map(\.description)
    while try table.next() {
      problems += linter.violations(in: table.row, number: table.count).map(\.description)
    }
    return problems
  }

  @Test(
    "tables that cannot be",
    arguments: [
      ("method,MAE,RMSE\nours,0.5,0.4", "row 1 (ours), MAE and RMSE: 0.5 and 0.4: MAE > RMSE"),
      ("L1 [m],RMSE (mm)\n0.05,40", "MAE > RMSE"),
      ("mae_m_measured,rmse_m_measured\n0.5,0.4", "MAE > RMSE"),
      ("d1,d2,d3\n0.9,0.95,0.97\n0.9,0.89,0.97", "row 2, d1 and d2: 0.9 and 0.89: δ1 > δ2"),
      ("a1,a3\n0.99,0.98", "δ1 > δ3"), ("δ₁,δ₂\n0.99,0.98", "δ1 > δ2"),
      ("δ < 1.25,δ < 1.25²\n0.99,0.98", "δ1 > δ2"),
      ("delta_0_5,delta_1\n0.9,0.8", "δ½ > δ1"), ("delta1,delta2\n99.1 %,98 %", "δ1 > δ2"),
      ("SILog,RMSE log\n15,0.1", "SILog/100 > RMSE log"),
      ("silog;rmse_log\n15,5;0,1", "SILog/100 > RMSE log"),
      ("coverage\n1.2", "outside 0…1"), ("d1\n95.3", "outside 0…1"), ("delta_1\n-0.1", "outside 0…1"),
      ("bias,mae\n-0.3,0.2", "|bias| > MAE"), ("AbsRel ↓\n-0.1", "negative"), ("log10\n−0.02", "negative"),
      ("abs_rel\nNaN", "'NaN' is not a value"), ("x,rmse\nnan,1", "'nan' is not a value"),
      ("rmse\ninf", "not finite"),
      ("median_ae_m,p90_ae_m,p95_ae_m\n0.1,0.3,0.2", "P90 > P95"),
      ("median_ae_m,p95_ae_m\n0.3,0.2", "median > P95"),
      ("method,mae_m,mae_m,rmse_m\na,1,2,1.5", "head, mae_m: columns 2, 3 have this name"),
      ("x,x,x,x,x,mae\n1,1,1,1,1,1", "head, x: columns 1, 2, 3 and 2 more have this name"),
      ("mae,rmse\n1,0.5\n", "row 1, mae and rmse: 1 and 0.5"),
      ("name,rmse,mae\n\"a, \"\"b\"\"\",0.1,0.2\n", "row 1 (a, \"b\"), mae and rmse"),
    ])
  func impossible(_ csv: String, _ message: String) throws {
    let found = try problems(csv)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains(message) == true, "\(found)")
  }

  @Test(
    "tables that can be",
    arguments: [
      "mae,rmse\n0.4,0.4", "mae,rmse\n0.043,0.0429", "mae_m,rmse_m_measured\n0.5,0.4",
      "mae [mm],rmse [m]\n50,0.06",
      "d1 (%),d2 (%)\n95.3,98", "delta1,delta2\n1,1", "silog,rmse_log\n10,0.1", "bias_m,mae_m\n-0.2,0.2",
      "abs_rel,mae\n,-", "mae_m_difference,rmse_m\n-0.5,0.2", "rmse,mae\n0.3 ± 0.1,**0.2**",
      "AbsRel,note\n0.1,nanny",
      ",,mae\n1,2,3", "mae,rmse\n,0.1\n0.1,\n", "MAE (ours),RMSE (ours)\n0.1,0.2",
      "bias_m_low,bias_m,mae_m\n-9,-0.1,0.2", "\u{feff}mae,rmse\r\n0.1,0.2\r\n",
    ])
  func possible(_ csv: String) throws {
    #expect(try problems(csv) == [])
  }

  @Test("what a head means")
  func heads() {
    #expect(ResultColumn(header: "AbsRel ↓")?.metric == .absRel)
    #expect(ResultColumn(header: "RMSE [m] ↓")?.metric == .rmse)
    #expect(ResultColumn(header: "rmse_mm")?.scale == 1e-3)
    #expect(ResultColumn(header: "delta_1_filled")?.support == .filled)
    #expect(ResultColumn(header: "δ½ ↑")?.metric == .deltaHalf)
    #expect(ResultColumn(header: "log₁₀")?.metric == .log10)
    for other in ["method", "space", "mae_m_low", "mae_m_p", "rmse_m_measured_difference", "scale", "frames"]
    {
      #expect(ResultColumn(header: other) == nil, "\(other)")
    }
  }

  @Test(
    "what is not a table",
    arguments: [
      ("", "empty"), ("a,b\n", "no rows"), ("a,b\n1,2,3", "3 cells under 2"), ("a,b\n\"1,2", "not closed"),
      ("a,b\n1", "line 2: row 1 has 1 cells under 2"), ("a\n\"x\"y\n", "line 2: text behind the quote"),
      ("a\nx\0\n", "zero byte"),
    ])
  func malformed(_ csv: String, _ reason: String) {
    #expect { _ = try ResultTable(csv) } throws: {
      ($0 as? CSVFault)?.reason.contains(reason) == true
    }
  }

  @Test("one line of bounded length, whatever the table holds")
  func lines() throws {
    let long = String(repeating: "x", count: 10_000)
    for csv in [
      "name,mae,rmse\n\(long),2,1", "name,mae \(long),mae,rmse\n\u{1b}[31m,1,2,1", "mae\n-1\(long)",
    ] {
      for problem in try problems(csv) {
        #expect(
          problem.count < 600 && !problem.contains("\u{1b}") && !problem.contains("\n"),
          "\(problem.prefix(80))")
      }
    }
  }

  @Test("the numbers of a row of our own are taken away where they cannot be, names and counts stay")
  func ownRows() {
    var record = FrameRecord(
      scene: "nan", frameIndex: 0, frame: "0", method: "ols@depth", space: .depth, role: .line,
      fusion: FusionResult(status: .ok), values: MetricColumn.all.map { _ in nil })
    record.values[MetricColumn.ause.position] = -5.8e-15
    let run = EvaluationRun(
      plan: EvaluationPlan(methods: []), scenes: [], records: [record], baseline: "lidar-bilinear")
    let checked = CheckedRun(run)
    #expect(checked.impossible.count == 1)
    #expect(checked.impossible.first?.problem.contains("ause: -5.8e-15 is negative") == true)
    #expect(checked.run.records.first?.fusion.status == .impossible)
    let row = checked.tables.files.first { $0.name == "frames.csv" }?.table.rows.first
    #expect(row?.contains(.text("nan")) == true && row?.contains(.number(-5.8e-15)) == false)
  }

  @Test("a share that rounding puts above 1 in every scene leads, though no interval of it is possible")
  func aboveOne() {
    let records = (0..<5).flatMap { scene in
      [("ols@depth", 1 + Double(scene + 1) * 1e-12), ("lad@depth", 0.5)].map { method, coverage in
        var record = FrameRecord(
          scene: "s\(scene)", frameIndex: 0, frame: "0", method: method, space: .depth, role: .line,
          fusion: FusionResult(status: .ok), values: MetricColumn.all.map { _ in nil })
        record.values[MetricColumn.coverage.position] = coverage
        return record
      }
    }
    let run = EvaluationRun(
      plan: EvaluationPlan(methods: []), scenes: [], records: records, baseline: "lidar-bilinear")
    let checked = CheckedRun(run, jobs: 2)
    #expect(checked.impossible.isEmpty)
    #expect(checked.verdict.leaders[MetricColumn.coverage.id] == ["ols@depth"])
  }

  @Test("the look at the numbers alone never passes what the look at the digits finds")
  func numbersAlone() {
    let header = NonMetricColumn.header
    let linter = ResultLinter(header: header)
    var generator = SplitMix64(seed: 1)
    // Errors of equal pixels, some of them in an impossible order or out of range.
    let values: [Double?] = [
      nil, 0, 1, 0.25, 0.1 + 0.2, 0.3, 1 + 1e-12, 1 + 1e-8, -1e-12, 1e-300, .infinity, 7,
    ]
    var (passed, refused) = (0, 0)
    for _ in 0..<3000 {
      let row = header.map { _ -> Double? in
        switch UInt64.random(in: 0..<40, using: &generator) {
        case 0: values.randomElement(using: &generator) ?? nil
        case 1...2: Double.random(in: 0.2...0.2 + 1e-9, using: &generator)
        default: nil
        }
      }
      let isPossible = linter.isPossible { column, _ in row[column] }
      let found = linter.violations(in: CSVRow(row.map { $0.map { "\($0)" } ?? "" }), number: 1)
      #expect(!isPossible || found.isEmpty)
      if isPossible { passed += 1 } else { refused += 1 }
    }
    #expect(refused > 100 && passed > 100)
    #expect(linter.isPossible { _, _ in nil } && !linter.isPossible { _, _ in .nan })
  }

  @Test func missingFile() throws {
    let folder = try TemporaryFolder()
    #expect { _ = try ResultTable(readingFrom: folder.path("no.csv")) } throws: {
      ($0 as? FathomError)?.kind == .noInput
    }
    try Data([0xff, 0xfe, 0x00]).write(to: URL(fileURLWithPath: folder.path("binary.csv")))
    #expect { _ = try ResultTable(readingFrom: folder.path("binary.csv")) } throws: {
      ($0 as? FathomError)?.kind == .badData
    }
  }
}
