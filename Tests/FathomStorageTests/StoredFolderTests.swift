import Foundation
import FathomTestSupport
import Testing

@testable import FathomStorage

@Suite("Folders that are read back")
struct StoredFolderTests {
  let temporary: TemporaryFolder

  init() throws {
    temporary = try TemporaryFolder()
    let folder = try AtomicFolder(temporary.path("run"), kind: .run, overwrite: false)
    try folder.write("a,b\n1,2\n", to: "frames.csv")
    try folder.write("a\n3\n", to: "objects.csv")
    try folder.write("seconds\n4\n", to: "timing.csv")
    try folder.write("<svg/>", to: "figures/error.svg")
    try folder.commit(
      manifest: #"{"tool": "fathom", "version": "7", "seed": 18446744073709551615, "x": 0.1}"#)
  }

  private func put(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: temporary.path(name)))
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: temporary.path(name))
  }

  private func failure(_ name: String = "run", kinds: [FolderKind] = [.run]) -> FathomError? {
    do throws(FathomError) {
      try StoredFolder(temporary.path(name), kinds: kinds).verify()
      return nil
    } catch {
      return error
    }
  }

  @Test("gives what was written, and the manifest without its record")
  func roundTrip() throws {
    let folder = try StoredFolder(temporary.path("run/"))
    #expect(folder.kind == .run && folder.version == "7" && folder.name == "run")
    #expect(folder.manifest["seed"] == .large(.max) && folder.manifest["digests"] == nil)
    #expect(try folder.text(of: "figures/error.svg") == "<svg/>")
    #expect(failure() == nil)
  }

  @Test(
    "a file that was changed, cut, lost or made is noticed",
    arguments: [
      ("frames.csv", "a,b\n1,3\n"), ("frames.csv", "a,b\n"), ("frames.csv", ""),
      ("figures/error.svg", "<svg>"),
      ("objects.csv", "a\n4\n"),
    ])
  func changes(_ file: String, _ text: String) throws {
    try put(text, "run/\(file)")
    #expect(failure()?.place.hasSuffix("run/\(file)") == true)
    #expect(failure()?.reason.contains("changed after it was written") == true && failure()?.kind == .badData)
    #expect { try StoredFolder(temporary.path("run")).bytes(of: file) } throws: {
      ($0 as? FathomError)?.kind == .badData
    }
  }

  @Test("a lost file is named, a long table may be skipped, times and renderings may change")
  func losses() throws {
    try remove("run/objects.csv")
    try put("seconds\n5\n", "run/timing.csv")
    try put("page", "run/report.html")
    #expect(failure() == nil)
    #expect(try StoredFolder(temporary.path("run")).missingTables == ["objects.csv"])
    try remove("run/figures/error.svg")
    #expect(failure()?.reason.contains("incomplete without it") == true)
  }

  @Test("a changed manifest is noticed; one of a version without a record is read")
  func manifest() throws {
    let text = try String(contentsOfFile: temporary.path("run/run.json"), encoding: .utf8)
    try put(text.replacing("0.1", with: "0.2"), "run/run.json")
    #expect(failure()?.reason.contains("changed") == true)
    try put(#"{"tool": "fathom", "version": "0.1.0"}"#, "run/run.json")
    try put("a\n", "run/frames.csv")
    #expect(failure() == nil)
  }

  @Test("nothing but a folder of the kinds that are asked for is read")
  func kinds() throws {
    func check(_ name: String, _ kind: FathomError.Kind, _ reason: String) {
      #expect(failure(name)?.kind == kind && failure(name)?.reason.contains(reason) == true, "\(name)")
    }
    check("none", .noInput, "no such folder")
    try put("x", "file")
    check("file", .badData, "it is a file")
    for name in ["empty", "late.partial", "tuned"] {
      try FileManager.default.createDirectory(
        atPath: temporary.path(name), withIntermediateDirectories: true)
    }
    check("empty", .badData, "it has no run.json")
    check("late", .noInput, "not finished")
    try put(#"{"tool": "fathom tune", "version": "1"}"#, "tuned/tune.json")
    check("tuned", .badData, "a folder of fathom tune")
    for (text, reason) in [
      ("{", "not JSON"), (#"{"tool": "other", "version": "1"}"#, "did not write it"),
      (#"{"tool": "fathom"}"#, "which version"), ("[1]", "did not write it"), ("", "not JSON"),
    ] {
      try put(text, "run/run.json")
      check("run", .badData, reason)
    }
  }

  @Test("no file outside of the folder is read")
  func escape() throws {
    try put("secret", "secret")
    let folder = try StoredFolder(temporary.path("run"))
    for name in ["../secret", temporary.path("secret"), "figures/../../secret"] {
      #expect(throws: FathomError.self) { try folder.bytes(of: name) }
    }
  }
}
