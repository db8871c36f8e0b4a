import FathomTables
import FathomRunFolders
import DepthReport
import Foundation
import FathomTestSupport
import Testing

@testable import DepthNotebook

@Suite("The notebook")
struct NotebookTests {
  @Test("cells of the percent format: ids, kinds, needs, and texts without marks and blank ends")
  func source() {
    let source = NotebookSource(
      """
      # for those who edit this

      # %% [markdown] id="title"
      # # Title
      #
      # Words.

      # %% id="draw" needs="ranges:abs_rel scenes"

      # A remark.
      print("1")


      """)
    #expect(source.cells.map(\.cell.id) == ["title", "draw"])
    #expect(source.cells.map(\.cell.kind) == [.markdown, .code])
    #expect(source.cells[0].cell.source == "# Title\n\nWords.")
    #expect(source.cells[1].cell.source == "# A remark.\nprint(\"1\")")
    #expect(source.cells[0].needs.isEmpty && source.cells[1].needs == ["ranges:abs_rel", "scenes"])
  }

  @Test("ids are valid and unique, and every need names a table that there can be")
  func analysis() {
    let cells = NotebookSource.analysis.cells
    #expect(cells.count > 25)
    #expect(Set(cells.map(\.cell.id)).count == cells.count)
    for cell in cells {
      #expect(!cell.cell.source.isEmpty)
      #expect((1...64).contains(cell.cell.id.count))
      #expect(cell.cell.id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
      for need in cell.needs {
        let parts = need.split(separator: ":")
        #expect(Self.tableNames.contains(String(parts[0])), "\(need)")
      }
    }
  }

  @Test("a notebook of networks' maps has no word of a LiDAR, and draws all truth pixels")
  func maps() {
    let text = String(decoding: PackageResources.analysis_py, as: UTF8.self)
    for words in NotebookSource.wordsOfMaps { #expect(text.contains(words.from), "\(words.from)") }
    let (cells, all) = (NotebookSource.analysisOfMaps.cells, NotebookSource.analysis.cells)
    #expect(cells.map(\.cell.id) == all.map(\.cell.id))
    // Such a run has no table of confidence, which these need.
    let shown = cells.filter { cell in
      !cell.needs.contains { $0.hasPrefix("confidence") || $0.hasPrefix("sparsification") }
    }
    #expect(shown.count > 20)
    let foreign = /lidar|\bfused\b|\bfusion|\bspec\b|shipped|calibrate|attach|measured|fallback/.ignoresCase()
    for cell in shown {
      #expect(!cell.cell.source.contains(foreign), "\(cell.cell.id)")
      #expect(!cell.needs.contains { $0.hasSuffix("_measured") }, "\(cell.cell.id)")
    }
    #expect(shown.first?.cell.source.hasPrefix("# Accuracy of depth maps") == true)
  }

  private static let tableNames: Set = [
    "summary", "frames", "pairwise", "ranks", "ranges", "confidence", "cumulative", "sparsification",
    "object_summary", "detections", "objects", "protocols", "diagnosis",
  ]

  @Test(
    "every need that names a metric is met by the committed run, but for protocols that it did not score under"
  )
  func needs() throws {
    let demo = try NotebookExport(StoredRun(readingFrom: HandMadeRun.demo.path)).dictionary
    for need in Set(NotebookSource.analysis.cells.flatMap(\.needs)) where need.contains(":") {
      let parts = need.split(separator: ":").map(String.init)
      guard parts[0] != "protocols" else { continue }
      #expect(demo[parts[0] + ".csv"]?.holds(parts[1]) == true, "\(need)")
    }
  }

  @Test("a cell is there only where its tables are")
  func selection() throws {
    func ids(_ path: String) throws -> [String] {
      Notebook(of: try NotebookExport(StoredRun(readingFrom: path)).dictionary).cells.map(\.id)
    }
    let byHand = try HandMadeRun()
    let few = try ids(byHand.folder.url.path)
    #expect(few.contains("cumulative") && few.contains("shown"))
    // The table is there, but without the metric that the cell draws, or without rows; or the run lost it.
    #expect(!few.contains("ranges"))
    #expect(!few.contains("confidence") && !few.contains("objects") && !few.contains("ranks"))
    let demo = try ids(HandMadeRun.demo.path)
    #expect(demo.contains("confidence") && demo.contains("detections"))
    #expect(!demo.contains("protocols"))
  }

  @Test("nbformat 4.5: sources as lines, code cells with outputs, the kernel python3")
  func format() throws {
    let byHand = try HandMadeRun()
    let notebook = Notebook(of: try NotebookExport(StoredRun(readingFrom: byHand.folder.url.path)).dictionary)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(notebook.json.utf8)) as? [String: Any])
    #expect(object["nbformat"] as? Int == 4 && object["nbformat_minor"] as? Int == 5)
    let metadata = try #require(object["metadata"] as? [String: [String: String]])
    #expect(metadata["kernelspec"]?["name"] == "python3")
    let cells = try #require(object["cells"] as? [[String: Any]])
    for (cell, original) in zip(cells, notebook.cells) {
      #expect((cell["source"] as? [String])?.joined() == original.source)
      #expect((cell["outputs"] != nil) == (original.kind == .code))
      #expect(cell.keys.contains("execution_count") == (original.kind == .code))
      #expect(cell["id"] as? String == original.id)
    }
  }
}
