import FathomDocuments
@testable import FathomRunFolders
import FathomStorage
import FathomTables
import FathomTestSupport
import Foundation
import Testing

@testable import DepthReport

@Suite("A report in a folder")
struct StoredReportTests {
  private let document = ReportDocument(
    title: "desk & chair: accuracy",
    sections: [
      .init(
        "frames", "Frames",
        [
          .figure(FigureBlock(name: "error", title: "Error", alt: "auto 1.2 mm")),
          .gallery(
            GalleryBlock(
              frames: [
                .init(
                  rank: "worst", title: "desk/1", caption: "MAE 0.1 m",
                  pictures: [.init(role: "fused", file: "gallery/1-fused.jpg", alt: "fused, desk/1")])
              ], scales: [])),
        ])
    ])
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
  }

  private let manifest = #"{"seed": 18446744073709551615, "tool": "fathom", "version": "1"}"#

  private func failure(_ name: String = "run") -> FathomError? {
    do throws(FathomError) {
      _ = try StoredReport(readingFrom: folder.path(name))
      return nil
    } catch {
      return error
    }
  }

  /// A run with a report that shows a figure and a gallery.
  private func store(_ tables: [String: String] = [:]) throws {
    let run = try AtomicFolder(folder.path("run"), kind: .run, overwrite: true)
    try run.write(try document.json, to: "report.json")
    for file in document.files { try run.write("<svg/>", to: file) }
    for (name, text) in tables { try run.write(text, to: name) }
    try run.commit(manifest: manifest)
  }

  @Test("everything as JSON: the report, other JSON files, and tables with numbers as numbers")
  func everything() throws {
    func column(_ id: String, _ type: ColumnMeaning.Kind) -> ColumnMeaning { ColumnMeaning(id, type, "") }
    let table = DataTable(
      of: "frame",
      [column("scene", .text), column("frame", .text), column("value", .number), column("code", .text)],
      DataRows())
    try store([
      "frames.csv": "scene,frame,value,code\nroom,007,0.1,007\nroom,8,,x\n",
      TableDictionary.fileName: try TableDictionary([("frames.csv", table)], knowing: MetricMeaning.all).json,
    ])
    let text = try StoredReport(readingFrom: folder.path("run")).everything()
    let value = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(text.contains("\"seed\" : 18446744073709551615"))
    #expect((value["report"] as? [String: Any])?["title"] as? String == "desk & chair: accuracy")
    let rows = try #require((value["tables"] as? [String: [[String: Any]]])?["frames"])
    #expect(rows[0]["frame"] as? String == "007" && rows[0]["value"] as? Double == 0.1)
    #expect(rows[0]["code"] as? String == "007" && rows[1]["value"] is NSNull)
    #expect((value["dictionary"] as? [String: Any])?["version"] as? Int == 1)
  }

  @Test("no folder, no report, a damaged one, a figure that is gone")
  func faults() throws {
    #expect(failure("nowhere")?.kind == .noInput)
    try store()
    try write(manifest, "run/run.json")
    try FileManager.default.removeItem(atPath: folder.path("run/report.json"))
    #expect(failure()?.kind == .badData && failure()?.place.hasSuffix("report.json") == true)
    try write(#"{"title": "x"}"#, "run/report.json")
    #expect(failure()?.reason.contains("damaged") == true)
    try write(try document.json, "run/report.json")
    let report = try StoredReport(readingFrom: folder.path("run"))
    try FileManager.default.removeItem(atPath: folder.path("run/" + document.files[0]))
    #expect(throws: FathomError.self) { try report.html() }
    #expect(throws: FathomError.self) { try report.markdown(links: "") }
  }

  @Test(
    "a table that was changed, cut or lost is told before anything is made of the report",
    arguments: ["scene,value\nroom,0.1\nroom,0.", "scene,value\nroom,0.1\nroom,0.3\n", "", nil])
  func tables(_ text: String?) throws {
    try store(["frames.csv": "scene,value\nroom,0.1\nroom,0.2\n", "objects.csv": "a\n1\n"])
    try FileManager.default.removeItem(atPath: folder.path("run/objects.csv"))
    #expect(try StoredReport(readingFrom: folder.path("run")).folder.missingTables == ["objects.csv"])
    if let text {
      try write(text, "run/frames.csv")
      #expect(failure()?.reason.contains("changed after it was written") == true)
    } else {
      try FileManager.default.removeItem(atPath: folder.path("run/frames.csv"))
      #expect(
        failure()?.description.hasSuffix(
          "the run is incomplete without it; evaluate again, or restore the file") == true)
    }
  }
}
