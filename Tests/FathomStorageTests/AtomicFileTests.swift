import Foundation
import FathomTestSupport
import Testing

@testable import FathomStorage

@Suite("Files that appear when they are complete")
struct AtomicFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("appear under their name when they are complete, and not before")
  func complete() throws {
    let path = folder.path("a.ply")
    let file = try AtomicFile(path, overwrite: false)
    try file.write([1, 2])
    try file.write([])
    try file.write([3])
    #expect(folder.names == ["a.ply.partial"])
    try file.commit()
    #expect(folder.names == ["a.ply"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2, 3]))
  }

  @Test("leave nothing where they are given up, and the former file as it was")
  func abandoned() throws {
    let path = folder.path("a.ply")
    try Data([9]).write(to: URL(fileURLWithPath: path))
    do {
      let file = try AtomicFile(path, overwrite: true)
      try file.write([1])
    }
    #expect(folder.names == ["a.ply"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([9]))
    let error = #expect(throws: FathomError.self) { _ = try AtomicFile(path, overwrite: false).path }
    #expect(error?.kind == .cannotCreate && error?.reason == "it exists")
  }

  @Test("the name of standard output is not a file's")
  func dash() {
    let error = #expect(throws: FathomError.self) { _ = try AtomicFile("-", overwrite: false).path }
    #expect(error?.kind == .cannotCreate && error?.reason.contains("standard output") == true)
  }

  @Test("two writers do not disturb each other; one that is gone does not matter")
  func writers() throws {
    let path = folder.path("a.ply")
    try folder.put([7, 7, 7], "a.ply.partial")
    // As Fathom creates it.
    #expect(chmod(path + ".partial", UnfinishedMark.mode) == 0)
    let first = try AtomicFile(path, overwrite: false)
    try first.write([1])
    let error = #expect(throws: FathomError.self) { _ = try AtomicFile(path, overwrite: false).path }
    #expect(error?.reason == "another process is writing it")
    try first.write([2])
    try first.commit()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2]))
  }

  @Test(
    "somebody else's file, link or folder of the partial name is not touched",
    arguments: ["file", "link", "folder"])
  func foreignPartial(_ kind: String) throws {
    let path = folder.path("a.h5")
    try folder.put("mine", "mine")
    switch kind {
    case "file": try folder.put("mine", "a.h5.partial")
    case "link":
      try FileManager.default.createSymbolicLink(
        atPath: path + ".partial", withDestinationPath: folder.path("mine"))
    default: try folder.put("mine", "a.h5.partial/mine")
    }
    for overwrite in [false, true] {
      let errors = [
        #expect(throws: FathomError.self) { _ = try AtomicFile(path, overwrite: overwrite).path },
        #expect(throws: FathomError.self) { try AtomicFile.check(path, overwrite: overwrite) },
      ]
      for error in errors {
        #expect(error?.kind == .cannotCreate && error?.reason.contains("a.h5.partial' exists") == true)
      }
    }
    #expect(folder.names == ["a.h5.partial", "mine"])
    let kept = kind == "folder" ? "a.h5.partial/mine" : "a.h5.partial"
    #expect(try String(contentsOfFile: folder.path(kept), encoding: .utf8) == "mine")
  }

  @Test("a finished file has no mark, and one for an unfinished folder keeps it")
  func marks() throws {
    try AtomicFile(folder.path("a"), overwrite: false).commit()
    try AtomicFile(inUnfinishedFolder: folder.path("b")).commit()
    #expect(try [isMarked("a"), isMarked("b")] == [false, true])
  }

  private func isMarked(_ name: String) throws -> Bool {
    var status = stat()
    try #require(lstat(folder.path(name), &status) == 0)
    return UnfinishedMark.isOn(status)
  }

  @Test("a full disk is an error that leaves nothing behind")
  func fullDisk() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let folder = try TemporaryFolder()
      signal(SIGXFSZ, SIG_IGN)
      var bound = rlimit(rlim_cur: 5000, rlim_max: 5000)
      guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &bound) == 0 else { _exit(1) }
      var isExpected = false
      do throws(FathomError) {
        let file = try AtomicFile(folder.path("a.ply"), overwrite: false)
        try file.write([UInt8](repeating: 1, count: 4000))
        try file.write([UInt8](repeating: 1, count: 4000))
      } catch {
        isExpected = error.kind == .inputOutput && error.place == folder.path("a.ply")
      }
      isExpected = isExpected && folder.names.isEmpty
      try? FileManager.default.removeItem(at: folder.url)
      _exit(isExpected ? 42 : 2)
    }
  }
}
