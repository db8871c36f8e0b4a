import FathomTables
@testable import FathomRunFolders
import DepthEvaluation
import FathomRunSamples
import DepthFusion
import DepthVerdicts
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@testable import DepthReport

@Suite("A run read back from its folder")
struct StoredRunTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
  }

  /// A run that solved frames, refused some and could not read a file, in the temporary folder.
  private func stored() throws -> EvaluationRun {
    let run = try StoredRunSample.run()
    try write(RunManifest(run, inputs: [], scenePattern: nil, frameRange: nil).json, to: "run.json")
    for (name, table) in RunTables(run).files { try write(table.csv, to: name) }
    return run
  }

  private func change(_ name: String, _ change: (String) -> String) throws {
    let text = try String(contentsOfFile: folder.path(name), encoding: .utf8)
    try write(change(text), to: name)
  }

  private var failure: FathomError? {
    do throws(FathomError) {
      _ = try StoredRun(readingFrom: folder.url.path)
      return nil
    } catch {
      return error
    }
  }

  @Test("rows, values and settings come back as they were, to the byte")
  func roundTrip() throws {
    let run = try stored()
    let read = try StoredRun(readingFrom: folder.url.path + "/")
    #expect(read.frames.records.count == run.records.count && !run.records.isEmpty)
    for (found, expected) in zip(read.frames.records, run.records) {
      #expect(found.scene == expected.scene && found.method == expected.method)
      #expect(found.frame == expected.frame && found.frameIndex == expected.frameIndex)
      #expect(found.values == expected.values && found.isSolved == expected.isSolved)
      #expect(found.isOracle == expected.isOracle && found.fusion.design == expected.fusion.design)
    }
    #expect(read.frames.unreadable == run.unreadable && !run.unreadable.isEmpty)
    #expect(read.methods == run.aggregation.summary.map(\.method))
    let metrics = run.columns
    let head = read.frames.records.map { NonMetricColumn.row($0, metrics) }
    let table = DataTable(
      columns: NonMetricColumn.meanings(metrics).ids,
      rows: head + read.frames.unreadable.map { NonMetricColumn.row($0, metrics) })
    #expect(try table.csv == String(contentsOfFile: folder.path("frames.csv"), encoding: .utf8))
    #expect(read.manifest.protocol == run.plan.rules && read.manifest.options == run.plan.options)
    #expect(read.settings["options.maxDepth"] == "4" && read.settings["seed"] == "18446744073709551615")
    #expect(read.manifest.seed == .max)
    #expect(read.frames.missingColumns.isEmpty && read.frames.unknownColumns.isEmpty)
  }

  @Test("other tables are read when asked for, also without rows")
  func otherTables() throws {
    _ = try stored()
    let run = try StoredRun(readingFrom: folder.url.path)
    #expect(try run.table("methods.csv")?.rows.count == 5)
    #expect(try run.table("sparsification.csv")?.header.first == "method")
    #expect(try run.table("objects.csv") == nil)
    try write("a,b\n1\n", to: "objects.csv")
    #expect(throws: FathomError.self) { try run.table("objects.csv") }
  }

  @Test("what a newer version adds is ignored; what an older one lacks is missing")
  func otherVersions() throws {
    _ = try stored()
    try change("frames.csv") { text in
      text.split(separator: "\n").enumerated().map { index, line in
        line.replacing("silog", with: "silog_2") + (index == 0 ? ",shine" : ",1")
      }.joined(separator: "\n") + "\n"
    }
    try change("run.json") {
      $0.replacing("\"seed\"", with: "\"mood\" : { \"blue\" : true },\n  \"seed\"")
        .replacing("\"minPairs\" : 20,", with: "").replacing("\"edgeMargin\" : 0,", with: "")
    }
    let run = try StoredRun(readingFrom: folder.url.path)
    #expect(run.frames.missingColumns == ["silog"] && run.frames.unknownColumns == ["silog_2", "shine"])
    #expect(run.frames.records.allSatisfy { $0.value(MetricColumn(.silog)) == nil })
    #expect(run.settings["mood.blue"] == "true")
    // Told as absent, used as the default that it was.
    #expect(run.settings["options.minPairs"] == nil && run.manifest.options.minPairs == 20)
    #expect(run.settings["protocol.edgeMargin"] == nil && run.manifest.protocol.edgeMargin == 0)
  }

  @Test("no folder, a file, another command's folder, an unfinished run")
  func notARun() throws {
    func kind(_ name: String) -> (FathomError.Kind, String)? {
      do throws(FathomError) {
        _ = try StoredRun(readingFrom: folder.path(name))
        return nil
      } catch {
        return (error.kind, error.reason)
      }
    }
    #expect(try #require(kind("none")) == (.noInput, "there is no such folder"))
    try write("x", to: "file")
    #expect(try #require(kind("file")) == (.badData, "it is a file"))
    for name in ["tuned", "empty", "run.partial"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try write("{}", to: "tuned/tune.json")
    #expect(try #require(kind("tuned")) == (.badData, "it is a folder of fathom tune"))
    #expect(try #require(kind("empty")) == (.badData, "it has no run.json"))
    #expect(try #require(kind("run")) == (.noInput, "it is not finished"))
  }

  @Test(
    "damage is named with its place",
    arguments: [
      ("run.json", "\"tool\" : \"fathom\"", "\"tool\" : \"other\"", "fathom evaluate did not write it"),
      ("run.json", "\"seed\" :", "\"seeds\" :", "'seed' is missing"),
      (
        "run.json", "\"aggregation\" : \"scene\"", "\"aggregation\" : \"guess\"",
        "'protocol.aggregation' is not an allowed value"
      ),
      ("run.json", "{", "", "it is not JSON"),
      ("frames.csv", ",ok,", ",fine,", "column status: 'fine' is not known"),
      (
        "frames.csv", "room-0,0,lidar-bilinear,,ok,,,,,,,,,768,1.0",
        "room-0,0,lidar-bilinear,,ok,,,,,,,,,768,1.O",
        "'1.O' is not a number"
      ),
      (
        "frames.csv", "room-0,0,lidar-bilinear,,ok,,,,,,,,,768,1.0",
        "room-0,0,lidar-bilinear,,ok,,,,,,,,,768,nan",
        "'nan' is not a number"
      ),
      (
        "frames.csv", "room-0,0,lidar-bilinear,,ok", "room-0,,lidar-bilinear,,ok",
        "row 1, column frame: is empty"
      ),
      ("frames.csv", "scene,frame", "scene,scene", "two columns are called 'scene'"),
      ("frames.csv", "method,space", "methods,space", "it has no column 'method'"),
    ])
  func damage(_ file: String, _ text: String, _ replacement: String, _ reason: String) throws {
    _ = try stored()
    try change(file) { $0.replacing(text, with: replacement, maxReplacements: 1) }
    let found = try #require(failure)
    #expect(found.kind == .badData && found.reason.contains(reason), "\(found)")
    #expect((found.place.hasSuffix(file) || found.place == folder.url.path))
  }

  @Test("rows that were lost, a file that is gone, another text encoding")
  func lost() throws {
    _ = try stored()
    try change("frames.csv") { $0.split(separator: "\n").dropLast(2).joined(separator: "\n") + "\n" }
    #expect(failure?.reason == "it has 19 rows, and run.json counts 20")
    try Data([0x73, 0xff, 0x0a]).write(to: URL(fileURLWithPath: folder.path("frames.csv")))
    #expect(failure?.reason == "it is not UTF-8 text")
    try FileManager.default.removeItem(atPath: folder.path("frames.csv"))
    #expect(failure?.kind == .badData && failure?.reason.contains("the run is incomplete without it") == true)
  }
}
