import Foundation
import FathomTestSupport
import Testing

@testable import FathomStorage

@Suite("Folders for what lies on disk for a while")
struct ScratchFolderTests {
  /// What a child process found, as its exit code; `TMPDIR` belongs to a whole process.
  @Test("those of processes that are gone are removed by the next one, those of others stay")
  func abandoned() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let temporary = try TemporaryFolder()
      setenv("TMPDIR", temporary.url.path, 1)
      let living = try ScratchFolder()
      let place = URL(fileURLWithPath: living.path).deletingLastPathComponent().lastPathComponent
      // As a killed process leaves it, and what only looks like it.
      try temporary.put("x", "fathom-killed/content/frame.png")
      try temporary.put("", "fathom-killed/.fathom-writer")
      chmod(temporary.path("fathom-killed/.fathom-writer"), UnfinishedMark.mode)
      chmod(temporary.path("fathom-killed"), 0o700)
      try FileManager.default.createDirectory(
        atPath: temporary.path("fathom-nothin"), withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
      try temporary.put("x", "fathom-foreig/content/frame.png")
      chmod(temporary.path("fathom-foreig"), 0o700)
      try temporary.put("x", "fathom-others/notes.txt")
      let next = try ScratchFolder()
      let kept = temporary.names.filter { !next.path.contains($0) }
      let isRight = kept.sorted() == ["fathom-foreig", "fathom-others", place].sorted()
      let own = FileManager.default.fileExists(atPath: living.path)
      try? FileManager.default.removeItem(at: temporary.url)
      _exit(isRight && own ? 42 : 1)
    }
  }

  @Test("are gone with their owner, and after an interruption")
  func gone() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let temporary = try TemporaryFolder()
      setenv("TMPDIR", temporary.url.path, 1)
      do {
        let folder = try ScratchFolder()
        guard FileManager.default.createFile(atPath: folder.path + "/a", contents: Data()) else { _exit(1) }
      }
      let afterOwner = temporary.names
      let folder = try ScratchFolder()
      withExtendedLifetime(folder) {
        UnfinishedOutputs.discard {
          let afterInterruption = temporary.names
          try? FileManager.default.removeItem(at: temporary.url)
          _exit(afterOwner.isEmpty && afterInterruption.isEmpty ? 42 : 2)
        }
      }
    }
  }
}
