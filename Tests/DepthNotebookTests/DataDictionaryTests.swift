import DepthEvaluation
import DepthReport
import Foundation
import TestSupport
import Testing

@testable import DepthNotebook

@Suite("Data dictionary")
struct DataDictionaryTests {
  private func dictionary(_ path: String) throws -> (tables: TidyTables, rows: [[String]], page: String) {
    let run = try StoredRun(readingFrom: path)
    let tables = try TidyTables(run)
    let dictionary = DataDictionary(tables, of: run)
    let rows = dictionary.table.rows.map { row in
      row.map { cell in if case .text(let text) = cell { text } else { "" } }
    }
    return (tables, rows, dictionary.page)
  }

  @Test("every column and every metric of the committed run and of a run by hand is defined")
  func isComplete() throws {
    let byHand = try HandMadeRun()
    for path in [HandMadeRun.demo.path, byHand.folder.url.path] {
      let (tables, rows, page) = try dictionary(path)
      for table in tables.tables {
        for column in table.content.columns {
          let row = rows.first { $0[0] == table.name && $0[1] == column && $0[2].isEmpty }
          #expect(row?[7].isEmpty == false, "\(table.name).\(column)")
        }
        for metric in table.metrics {
          let row = rows.first { $0[0] == table.name && $0[2] == metric }
          #expect(row?[7].isEmpty == false && row?[6].isEmpty == false, "\(table.name): \(metric)")
          #expect(page.contains("| `\(metric)` |"))
        }
        #expect(page.contains("## \(table.name)\n"))
      }
      let unknown = rows.filter { $0[7].contains(MetricEntry.unknownTo) }.map { $0.prefix(3) }
      #expect(unknown.isEmpty, "not defined: \(unknown)")
    }
  }

  @Test("a cell is empty only where the dictionary says when")
  func missingValues() throws {
    let (tables, rows, _) = try dictionary(HandMadeRun.demo.path)
    for table in tables.tables {
      for (place, column) in table.content.columns.enumerated() {
        let hasGaps = table.content.rows.contains { $0[place] == .empty }
        let row = rows.first { $0[0] == table.name && $0[1] == column }
        #expect(!hasGaps || row?[8].isEmpty == false, "\(table.name).\(column)")
      }
    }
  }

  @Test("what numbers are said to be, they are")
  func types() throws {
    let (tables, rows, _) = try dictionary(HandMadeRun.demo.path)
    for table in tables.tables {
      for (place, column) in table.content.columns.enumerated() {
        let kind = rows.first { $0[0] == table.name && $0[1] == column }?[4]
        let texts = table.content.rows.compactMap { row in
          if case .text(let text) = row[place] { text } else { String?.none }
        }
        switch kind {
        case "integer": #expect(texts.allSatisfy { Int($0) != nil }, "\(table.name).\(column)")
        case "number": #expect(texts.allSatisfy { Double($0) != nil }, "\(table.name).\(column)")
        default: #expect(kind == "text", "\(table.name).\(column)")
        }
      }
    }
  }

  @Test("definitions are those of the metrics themselves")
  func definitions() {
    for column in MetricColumn.all {
      let entry = MetricEntry.entry(column.id)
      #expect(entry.definition.hasPrefix(column.metric.formula) && entry.unit == column.metric.unit.rawValue)
    }
    #expect(MetricEntry.entry("mae_m_measured").title == "MAE (measured)")
    for metric in ObjectMetric.all {
      #expect(MetricEntry.entry(metric.id).definition.hasPrefix(metric.formula))
      #expect(metric.title.hasPrefix(metric.name))
      #expect(metric.unit.isEmpty || metric.title.hasSuffix("[\(metric.unit)]"))
    }
    #expect(ObjectMetric.placement.title == "placement [cm]" && ObjectMetric.iou.title == "IoU")
  }
}
