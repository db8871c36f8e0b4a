import Foundation
import TestSupport
import Testing

@testable import DepthReport

@Suite("The result linter")
struct ResultLinterTests {
  private func problems(_ csv: String) throws -> [String] {
    let table = try ResultTable(csv)
    return ResultLinter(header: table.header).violations(in: table.rows).map(\.description)
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
      ("abs_rel\nNaN", "'NaN' is no value"), ("x,rmse\nnan,1", "'nan' is no value"),
      ("rmse\ninf", "not finite"),
      ("median_ae_m,p90_ae_m,p95_ae_m\n0.1,0.3,0.2", "P90 > P95"),
      ("median_ae_m,p95_ae_m\n0.3,0.2", "median > P95"),
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
      "bias_m_low,bias_m,mae_m\n-9,-0.1,0.2", "\u{feff}mae,rmse\r\n0.1,0.2\r\n",
    ])
  func possible(_ csv: String) throws {
    #expect(try problems(csv) == [])
  }

  @Test("what a head means")
  func heads() {
    #expect(ResultColumn(header: "AbsRel ↓")?.quantity == .absRel)
    #expect(ResultColumn(header: "RMSE [m] ↓")?.quantity == .rmse)
    #expect(ResultColumn(header: "rmse_mm")?.scale == 1e-3)
    #expect(ResultColumn(header: "delta_1_filled")?.support == "filled")
    #expect(ResultColumn(header: "δ½ ↑")?.quantity == .delta(exponent: 0.5))
    #expect(ResultColumn(header: "log₁₀")?.quantity == .log10)
    for other in ["method", "space", "mae_m_low", "mae_m_p", "rmse_m_measured_difference", "scale", "frames"]
    {
      #expect(ResultColumn(header: other) == nil, "\(other)")
    }
  }

  @Test(
    "what is no table",
    arguments: [
      ("", "empty"), ("a,b\n", "no rows"), ("a,b\n1,2,3", "3 cells under 2"), ("a,b\n\"1,2", "not closed"),
      ("a,b\n1", "1 cells under 2"), ("a\n\"x\"y\n", "not CSV"),
    ])
  func malformed(_ csv: String, _ reason: String) {
    #expect { _ = try ResultTable(csv) } throws: {
      ($0 as? ResultTable.Malformed)?.reason.contains(reason) == true
    }
  }

  @Test func missingFile() throws {
    let folder = try TemporaryFolder()
    #expect { _ = try ResultTable(readingFrom: folder.path("no.csv")) } throws: {
      ($0 as? ResultTableError)?.isMissing == true
    }
    try Data([0xff, 0xfe, 0x00]).write(to: URL(fileURLWithPath: folder.path("binary.csv")))
    #expect { _ = try ResultTable(readingFrom: folder.path("binary.csv")) } throws: {
      ($0 as? ResultTableError)?.isMissing == false
    }
  }
}
