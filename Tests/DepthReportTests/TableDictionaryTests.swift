import FathomTables
@testable import FathomRunFolders
import Foundation
import FathomPlainText
import FathomStorage
import FathomTestSupport
import Testing

@testable import DepthReport

@Suite("Tables say what they hold")
struct TableDictionaryTests {
  /// What the repository keeps of a folder of each command.
  private static let folders = ["demo", "demo-tuned", "demo-calibration"]

  private func dictionary(_ folder: String) throws -> TableDictionary {
    let path = PackageFiles.root.appendingPathComponent("Reports/kept/\(folder)/\(TableDictionary.fileName)")
    return try JSONDecoder().decode(TableDictionary.self, from: Data(contentsOf: path))
  }

  private func table(_ file: String, of folder: String) throws -> ResultTable {
    try ResultTable(
      readingFrom: PackageFiles.root.appendingPathComponent("Reports/kept/\(folder)/\(file)").path,
      allowsNoRows: true)
  }

  /// Tables that the repository does not keep.
  private static let notKept = FolderKind.dispensable

  @Test("every column of every file is there, in order, with its meaning", arguments: folders)
  func columns(_ folder: String) throws {
    let dictionary = try dictionary(folder)
    #expect(dictionary.tables.count > 4)
    for described in dictionary.tables {
      #expect(!described.row.isEmpty)
      #expect(described.columns.allSatisfy { !$0.meaning.isEmpty }, "\(described.file)")
      #expect(Set(described.columns.map(\.id)).count == described.columns.count)
      guard !Self.notKept.contains(described.file) else { continue }
      let table = try table(described.file, of: folder)
      #expect(table.header == described.columns.map(\.id), "\(described.file)")
      #expect(table.rows.count == described.rows)
    }
  }

  @Test("a cell is empty only where the column says when, and is what its type says", arguments: folders)
  func cells(_ folder: String) throws {
    for described in try dictionary(folder).tables where !Self.notKept.contains(described.file) {
      let table = try table(described.file, of: folder)
      for (place, column) in described.columns.enumerated() {
        let texts = table.rows.map { $0[place] }
        #expect(
          !column.missing.isEmpty || !texts.contains(""), "\(folder)/\(described.file), \(column.id) is empty"
        )
        let filled = texts.filter { !$0.isEmpty }
        switch column.type {
        case .integer: #expect(filled.allSatisfy { Int($0) != nil }, "\(described.file), \(column.id)")
        case .number: #expect(filled.allSatisfy { Double($0) != nil }, "\(described.file), \(column.id)")
        case .text: break
        }
      }
    }
  }

  @Test("every metric that a table names has its definition, with unit and direction")
  func metrics() throws {
    let dictionary = try dictionary("demo")
    let known = Set(dictionary.metrics.map(\.id))
    #expect(dictionary.metrics.allSatisfy { !$0.definition.isEmpty && !$0.direction.isEmpty })
    for described in dictionary.tables {
      for id in described.metrics {
        let base = ["_measured", "_filled"].reduce(id) {
          $0.hasSuffix($1) ? String($0.dropLast($1.count)) : $0
        }
        #expect(known.contains(base), "\(described.file): \(id)")
      }
    }
    #expect(dictionary["summary.csv"]?.holds("mae_m_measured") == true)
    #expect(dictionary["summary.csv"]?.holds("placement_cm") == false)
    #expect(dictionary["object_summary.csv"]?.holds("placement_cm") == true)
  }
}

@Suite("Rows of metrics against each other")
struct MetricRowsTests {
  private let header = ["method", "statistic", "metric", "support", "value", "low"]

  /// Violations of a table with a row per metric.
  private func violations(_ rows: [[String]]) throws -> [String] {
    var groups = try #require(MetricRows(header: header))
    var found: [ResultLinter.Violation] = []
    for row in rows { found += groups.add(row)?.violations ?? [] }
    found += groups.finish()?.violations ?? []
    return found.map(\.description)
  }

  @Test("values of the same subject and pixels are compared with each other")
  func orders() throws {
    let wrong = try violations([
      ["a", "mean", "mae_m", "all", "0.2", ""], ["a", "mean", "rmse_m", "all", "0.3", ""],
      ["b", "mean", "mae_m", "measured", "0.4", ""], ["b", "mean", "rmse_m", "measured", "0.3", ""],
    ])
    #expect(wrong.count == 1)
    #expect(wrong.first?.hasPrefix("row 3 (b, mean), mae_m_measured and rmse_m_measured") == true, "\(wrong)")
  }

  @Test("other pixels, other subjects and differences are not")
  func apart() throws {
    #expect(
      try violations([
        ["a", "mean", "mae_m", "all", "0.4", ""], ["a", "mean", "rmse_m", "measured", "0.3", ""],
        ["b", "mean", "mae_m", "all", "0.2", ""], ["c", "mean", "rmse_m", "all", "0.1", ""],
        ["c", "difference", "mae_m", "all", "-0.4", ""], ["c", "difference", "coverage", "all", "-2", ""],
      ]).isEmpty)
    #expect(try violations([["a", "mean", "coverage", "all", "1.2", ""]]).count == 1)
  }

  @Test("a table with a column per metric is not one of these")
  func wide() {
    #expect(MetricRows(header: ["method", "abs_rel", "mae_m"]) == nil)
    #expect(MetricRows(header: ["metric", "name"]) == nil)
  }
}
