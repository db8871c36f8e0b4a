import FathomStatistics
import FathomTables
import Foundation
import Testing

@testable import FathomDocuments

@Suite("Tables for people")
struct DisplayTableTests {
  @Test("heads and cells come back from a stored report with their parts, and a text stays what it was")
  func stored() throws {
    var bounded = DisplayTable.Cell(0.0123)
    (bounded.interval, bounded.low, bounded.high) = ("[0.0100, 0.0150]", 0.01, 0.015)
    let table = DisplayTable(
      columns: [
        .init("method", numeric: false), .init("bias [m]", .zeroIsBest), .init("δ₁", .higherIsBetter),
      ],
      cells: [
        ["ols [sic]", bounded, .init(0.9, isBest: true)], ["auto", .init(nil), .init(0.8, isPartial: true)],
      ])
    let bytes = try JSONEncoder().encode(table)
    #expect(try JSONDecoder().decode(DisplayTable.self, from: bytes) == table)
    let json = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    let heads = try #require(json["columns"] as? [[String: Any]])
    #expect(heads.map { $0["title"] as? String } == ["method", "bias [m] →0", "δ₁ ↑"])
    let rows = try #require(json["rows"] as? [[[String: Any]]])
    #expect(rows[0].map { $0["text"] as? String } == ["ols [sic]", "0.01230 [0.0100, 0.0150]", "0.9000"])
    #expect(rows[1].map { $0["text"] as? String } == ["auto", "–", "0.8000†"])
  }

  @Test("a report of version 0.1, whose heads hold the arrow and whose cells the interval, is read")
  func older() throws {
    let text = """
      {"columns": [{"title": "MAE [m] ↓", "isNumeric": true}],
       "rows": [[{"text": "0.01 [0.00, 0.02]", "value": 0.01, "low": 0.0, "high": 0.02}]]}
      """
    let table = try JSONDecoder().decode(DisplayTable.self, from: Data(text.utf8))
    #expect(table.columns[0].title == "MAE [m] ↓" && table.rows[0][0].text == "0.01 [0.00, 0.02]")
    #expect(table.plain.contains("0.01 [0.00, 0.02]") && table.rows[0][0].high == 0.02)
  }
}
