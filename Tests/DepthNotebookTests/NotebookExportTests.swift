import FathomTables
import FathomRunFolders
import DepthReport
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@testable import DepthNotebook

@Suite("Export of a run")
struct NotebookExportTests {
  @Test("tables, their dictionary and run.json are the run's own; a table that the run lost is omitted")
  func copies() throws {
    let byHand = try HandMadeRun()
    let export = try NotebookExport(StoredRun(readingFrom: byHand.folder.url.path))
    #expect(
      export.copies.map(\.copy) == [
        "tables/cumulative.csv", "tables/summary.csv", "tables/confidence.csv", "tables/ranges.csv",
        "tables.json", "run.json",
      ])
    #expect(export.overview.rows.count == 4)
  }

  @Test("the page for people names every table, column and metric, with the unit in words")
  func page() throws {
    let byHand = try HandMadeRun()
    let export = try NotebookExport(StoredRun(readingFrom: byHand.folder.url.path))
    let page = DictionaryPage(dictionary: export.dictionary, run: export.run).text
    #expect(page.contains("| [ranges.csv](tables/ranges.csv) | method × bin | metric | 1 |"))
    #expect(page.contains("| `from_m` | number | m | where a bin begins |  |"))
    #expect(page.contains("| `abs_rel` | AbsRel |  | lower | mean \\|d−g\\|/g |"))
    #expect(page.contains("## summary.csv\n") && !page.contains("objects.csv"))
  }

  @Test("a run without a dictionary, or with a damaged one, is refused with the reason")
  func faults() throws {
    func error(_ changes: [String: String?]) throws -> FathomError? {
      let run = try HandMadeRun(changes)
      do throws(FathomError) {
        _ = try NotebookExport(StoredRun(readingFrom: run.folder.url.path))
        return nil
      } catch { return error }
    }
    let missing = try #require(try error(["tables.json": nil]))
    #expect(missing.kind == .badData && missing.description.contains("it has no tables.json"))
    #expect(missing.description.contains("evaluate again with this version"))
    let damaged = try #require(try error(["tables.json": "{}"]))
    #expect(damaged.place.hasSuffix("tables.json"))
    let manifest = try #require(try error(["run.json": "no"]))
    #expect(manifest.description.contains("it is not JSON"))
    #expect(throws: FathomError.self) { try StoredRun(readingFrom: "/nowhere") }
  }
}
