import Foundation
import Storage
import TestSupport
import Testing

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

  @Test("the name of standard output is no file's")
  func dash() {
    let error = #expect(throws: FathomError.self) { _ = try AtomicFile("-", overwrite: false).path }
    #expect(error?.kind == .cannotCreate && error?.reason.contains("standard output") == true)
  }

  @Test("two writers do not disturb each other; one that is gone does not matter")
  func writers() throws {
    let path = folder.path("a.ply")
    try Data([7, 7, 7]).write(to: URL(fileURLWithPath: path + ".partial"))
    let first = try AtomicFile(path, overwrite: false)
    try first.write([1])
    let error = #expect(throws: FathomError.self) { _ = try AtomicFile(path, overwrite: false).path }
    #expect(error?.reason == "another process is writing it")
    try first.write([2])
    try first.commit()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2]))
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
