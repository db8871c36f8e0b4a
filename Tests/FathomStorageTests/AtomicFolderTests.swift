import Foundation
import FathomTestSupport
import Testing

@testable import FathomStorage

@Suite("Folders that appear when they are complete")
struct AtomicFolderTests {
  let temporary: TemporaryFolder
  private let manifest = #"{"tool": "fathom", "version": "1"}"#

  init() throws { temporary = try TemporaryFolder() }

  private func write(_ text: String, to name: String = "run", overwrite: Bool = false) throws {
    let folder = try AtomicFolder(temporary.path(name), kind: .run, overwrite: overwrite)
    try folder.write(text, to: "frames.csv")
    try folder.commit(manifest: manifest)
  }

  private func put(_ text: String, _ name: String) throws {
    let url = URL(fileURLWithPath: temporary.path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: temporary.path(name), encoding: .utf8)
  }

  private func refusal(_ path: String, _ kind: FolderKind = .run, overwrite: Bool = true) -> FathomError? {
    do throws(FathomError) {
      _ = try AtomicFolder(path, kind: kind, overwrite: overwrite).path
      return nil
    } catch {
      return error
    }
  }

  @Test("appears only when complete; one that is given up leaves nothing")
  func commit() throws {
    do {
      let folder = try AtomicFolder(temporary.path("run"), kind: .run, overwrite: false)
      try folder.write("a,b\n", to: "figures/error.csv")
      #expect(temporary.names == ["run.partial"])
      try folder.commit(manifest: manifest)
    }
    #expect(temporary.names == ["run"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: temporary.path("run")).sorted() == [
        "figures", "run.json",
      ])
    do { _ = try AtomicFolder(temporary.path("other"), kind: .run, overwrite: false) }
    #expect(temporary.names == ["run"])
  }

  @Test("an existing folder is refused, or replaced when asked, but only one of ours")
  func overwrite() throws {
    try write("1")
    #expect { try write("2") } throws: {
      ($0 as? FathomError)?.onCommandLine.hasSuffix("choose another --output or add --overwrite") == true
    }
    try write("2", overwrite: true)
    #expect(try text("run/frames.csv") == "2" && temporary.names == ["run"])
    // Somebody else's file of the same name.
    try put("{}", "run/run.json")
    #expect { try write("3", overwrite: true) } throws: { ($0 as? FathomError)?.kind == .cannotCreate }
    try put("x", "home/thesis.tex")
    #expect(refusal(temporary.path("home"))?.kind == .cannotCreate)
    #expect(try text("home/thesis.tex") == "x" && temporary.names == ["home", "run"])
  }

  @Test("a partial folder of somebody else is not touched")
  func foreignPartial() throws {
    try put("x", "run.partial/mine")
    #expect(refusal(temporary.path("run"))?.reason.contains("not an unfinished folder") == true)
    #expect(try text("run.partial/mine") == "x")
  }

  @Test(
    "a folder is not replaced while something is in it that its manifest does not list",
    arguments: ["notes.txt", "figures/mine.svg", "figures/error.svg", "mine/", "link"])
  func foreignFiles(_ name: String) throws {
    func add() throws {
      if name == "link" {
        try FileManager.default.createSymbolicLink(
          atPath: temporary.path("run/link"), withDestinationPath: temporary.path("elsewhere"))
      } else if name.hasSuffix("/") {
        try FileManager.default.createDirectory(
          atPath: temporary.path("run/" + name), withIntermediateDirectories: false)
      } else {
        try put("mine", "run/" + name)
      }
    }
    func write(_ text: String, overwrite: Bool, meanwhile: () throws -> Void = {}) throws {
      let folder = try AtomicFolder(temporary.path("run"), kind: .run, overwrite: overwrite)
      try folder.write(text, to: "figures/error.svg")
      try folder.write(text, to: "timing.csv")
      try meanwhile()
      try folder.commit(manifest: manifest)
    }
    let named = temporary.path("run/" + name.replacing(/\/$/, with: ""))
    try write("1", overwrite: false)
    try write("2", overwrite: true)
    // Before the work, and while it was done.
    #expect { try write("3", overwrite: true, meanwhile: add) } throws: {
      ($0 as? FathomError)?.place == named && ($0 as? FathomError)?.kind == .cannotCreate
    }
    let found = name == "figures/error.svg" ? "mine" : "2"
    #expect(try text("run/figures/error.svg") == found)
    #expect(try text("run.partial/figures/error.svg") == "3")
    try FileManager.default.removeItem(atPath: temporary.path("run.partial"))
    #expect(refusal(temporary.path("run"))?.place == named)
    #expect(try text("run/figures/error.svg") == found && temporary.names == ["run"])
    try FileManager.default.removeItem(atPath: named)
    try FileManager.default.removeItem(atPath: temporary.path("run/figures"))
    try write("4", overwrite: true)
    #expect(try text("run/figures/error.svg") == "4" && temporary.names == ["run"])
  }

  @Test("an unfinished folder that holds something of others is neither emptied nor continued")
  func foreignInUnfinished() throws {
    do {
      var folder = try AtomicFolder(temporary.path("run"), kind: .run, overwrite: false)
      try folder.write("{}", to: "evaluation.json")
      try AtomicFile(inUnfinishedFolder: folder.partial + "/scene-0-0.json").commit()
      folder.keepPartial()
    }
    try put("mine", "run.partial/notes.txt")
    for adopts in [false, true] {
      #expect {
        _ = try AtomicFolder(temporary.path("run"), kind: .run, overwrite: true, adopts: adopts).path
      } throws: {
        ($0 as? FathomError)?.place == temporary.path("run.partial/notes.txt")
      }
      #expect(temporary.exists("run.partial/scene-0-0.json"))
      #expect(try text("run.partial/notes.txt") == "mine")
    }
    try FileManager.default.removeItem(atPath: temporary.path("run.partial/notes.txt"))
    try write("1")
    #expect(temporary.names == ["run"])
  }

  @Test("work that can be continued is gone before the folder has its name, and nothing keeps a mark")
  func leavesWorkOut() throws {
    let folder = try AtomicFolder(temporary.path("run"), kind: .run, overwrite: false)
    try folder.write("{}", to: "evaluation.json")
    try AtomicFile(inUnfinishedFolder: folder.partial + "/scene-0-0.json").commit()
    try AtomicFile(inUnfinishedFolder: folder.partial + "/kept.json").commit()
    try folder.commit(manifest: manifest, leavingOut: ["evaluation.json", "scene-0-0.json"])
    #expect(FileTree.files(below: temporary.path("run")) == ["kept.json", "run.json"])
    #expect(FileTree.entries(below: temporary.path("run")).filter(\.isMarked).isEmpty)
  }

  @Test("the mark of a writer that was killed behind the renaming goes with the next look at the folder")
  func markedFinished() throws {
    try write("1")
    try put("", "run/.fathom-writer")
    #expect(AtomicFolder.isFinished(temporary.path("run"), kind: .run))
    #expect(!temporary.exists("run/.fathom-writer") && temporary.exists("run/frames.csv"))
  }

  @Test("no kind of folder replaces another one", arguments: FolderKind.allCases, FolderKind.allCases)
  func kinds(_ written: FolderKind, _ wanted: FolderKind) throws {
    let path = temporary.path("folder")
    do {
      let folder = try AtomicFolder(path, kind: written, overwrite: false)
      // An export holds that of its run, too.
      if written == .export { try folder.write(manifest, to: FolderKind.run.marker) }
      try folder.commit(manifest: manifest)
    }
    #expect(FolderKind.kinds(in: path) == [written])
    let refused = refusal(path, wanted)
    if written == wanted {
      #expect(refused == nil)
    } else {
      #expect(refused?.reason.contains("a folder of fathom \(written.command), not of") == true)
    }
    #expect(temporary.names == ["folder"] && temporary.exists("folder/\(written.marker)"))
  }

  @Test("unfinished work that can be resumed is replaced by its own kind only")
  func unfinishedWork() throws {
    let path = temporary.path("folder")
    do {
      var folder = try AtomicFolder(path, kind: .tuning, overwrite: false)
      try folder.write("{}", to: "search.json")
      folder.keepPartial()
    }
    for kind in FolderKind.allCases where kind != .tuning {
      #expect(refusal(path, kind)?.description.contains("tune --resume") == true)
    }
    #expect(temporary.exists("folder.partial/search.json"))
    do {
      let adopted = try AtomicFolder(path, kind: .tuning, overwrite: false, adopts: true)
      #expect(temporary.exists("folder.partial/search.json") && adopted.partial == path + ".partial")
    }
    #expect(temporary.names.isEmpty)
  }

  @Test("a second writer is refused while the first one lives, whatever the mark says")
  func secondWriter() throws {
    let path = temporary.path("run")
    do {
      let first = try AtomicFolder(path, kind: .run, overwrite: false)
      #expect(refusal(path)?.reason == "another process is writing it")
      try first.write("1", to: "frames.csv")
      try first.commit(manifest: manifest)
    }
    #expect(try text("run/frames.csv") == "1" && temporary.names == ["run"])
  }

  @Test("a folder that a dead process left is replaced, also where its number is that of a living one")
  func deadWriter() throws {
    try put("\(ProcessInfo.processInfo.processIdentifier)\n", "run.partial/.fathom-writer")
    try put("old", "run.partial/old.csv")
    try write("new")
    #expect(temporary.names == ["run"] && !temporary.exists("run/old.csv"))
    #expect(!temporary.exists("run/.fathom-writer"))
  }

  @Test("a process that was killed after the exchange leaves the new folder and blocks nothing")
  func killedAfterExchange() throws {
    try write("new")
    // The former folder, marked, under the partial name.
    try put("old", "run.partial/frames.csv")
    try put("", "run.partial/.fathom-writer")
    try put("", "run/.fathom-writer")
    #expect(try StoredFolder(temporary.path("run")).text(of: "frames.csv") == "new")
    try write("newer", overwrite: true)
    #expect(temporary.names == ["run"] && !temporary.exists("run/.fathom-writer"))
    #expect(try text("run/frames.csv") == "newer")
  }

  @Test("without an exchange: replaced in two steps, and back again where the second one fails")
  func twoSteps() throws {
    try write("old")
    let (partial, target) = (temporary.path("run.partial"), temporary.path("run"))
    // There is nothing to rename, so the second step fails.
    #expect(FolderReplacement.inTwoSteps(partial, target) == ENOENT)
    #expect(try text("run/frames.csv") == "old" && temporary.names == ["run"])
    #expect(!temporary.exists("run/.fathom-writer"))
    try put("new", "run.partial/frames.csv")
    #expect(FolderReplacement.inTwoSteps(partial, target) == nil)
    #expect(try text("run/frames.csv") == "new" && temporary.names == ["run"])
  }

  @Test("killed between two steps: the next writer brings the former folder back")
  func recovery() throws {
    try write("old")
    try FileManager.default.moveItem(atPath: temporary.path("run"), toPath: temporary.path("run.replaced"))
    try put("", "run.replaced/.fathom-writer")
    #expect(refusal(temporary.path("run"), overwrite: false)?.reason == "it exists")
    #expect(try text("run/frames.csv") == "old" && temporary.names == ["run"])
    // Somebody else's folder of that name is left alone.
    try put("x", "run.replaced/mine")
    try write("new", overwrite: true)
    #expect(temporary.names == ["run", "run.replaced"])
  }

  @Test("a folder that cannot get its name is kept, and the error says where")
  func nameTaken() throws {
    #expect {
      let folder = try AtomicFolder(temporary.path("run"), kind: .run, overwrite: false)
      try folder.write("1", to: "frames.csv")
      try put("x", "run/mine")
      try folder.commit(manifest: manifest)
    } throws: {
      let error = $0 as? FathomError
      return error?.kind == .cannotCreate && error?.advice.contains("run.partial, which is complete") == true
    }
    #expect(temporary.exists("run.partial/run.json") && temporary.exists("run/mine"))
  }

  @Test("names that cannot work are refused before any work")
  func names() throws {
    let long = String(repeating: "n", count: 250)
    try put("", "file")
    try FileManager.default.createSymbolicLink(
      atPath: temporary.path("dangling"), withDestinationPath: temporary.path("nowhere"))
    try FileManager.default.createSymbolicLink(
      atPath: temporary.path("loop"), withDestinationPath: temporary.path("loop"))
    for (path, reason) in [
      ("-", "standard output"), (".", "a place, not a name"), ("..", "a place"), ("/", "a place"),
      (temporary.path(long), "250 bytes"), (temporary.path("dangling"), "broken link"),
      (temporary.path("loop"), "circular"), (temporary.path("file/run"), "is a file, not a folder"),
    ] {
      let error = refusal(path)
      #expect(error?.reason.contains(reason) == true, "\(path): \(String(describing: error))")
      #expect(error?.kind == .cannotCreate)
    }
    #expect(temporary.names == ["dangling", "file", "loop"])
  }

  @Test("a link to a folder is followed: it stays a link")
  func link() throws {
    try write("1", to: "real")
    try FileManager.default.createSymbolicLink(
      atPath: temporary.path("link"), withDestinationPath: temporary.path("real"))
    try write("2", to: "link", overwrite: true)
    #expect(try text("real/frames.csv") == "2")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: temporary.path("link"))
        == temporary.path("real"))
  }

  @Test("an interruption takes away what has no name yet, and not what is kept")
  func interruption() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let temporary = try TemporaryFolder()
      let given = try AtomicFolder(temporary.path("given"), kind: .run, overwrite: false)
      var kept = try AtomicFolder(temporary.path("kept"), kind: .tuning, overwrite: false)
      kept.keepPartial()
      let file = try AtomicFile(temporary.path("file"), overwrite: false)
      UnfinishedOutputs.discard {
        let names = temporary.names
        _ = (given.path, kept.path, file.path)
        try? FileManager.default.removeItem(at: temporary.url)
        _exit(names == ["kept.partial"] ? 42 : 1)
      }
    }
  }

  @Test("of many writers of one name at once every result is one writer's, whole")
  func race() async throws {
    let path = temporary.path("run")
    let manifest = self.manifest
    let finished = await withTaskGroup(of: Int.self) { group in
      for number in 0..<16 {
        group.addTask {
          do {
            let folder = try AtomicFolder(path, kind: .run, overwrite: true)
            for file in ["a", "b", "c"] { try folder.write("\(number)", to: file) }
            try folder.commit(manifest: manifest)
            return 1
          } catch { return 0 }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(finished >= 1)
    let texts = try ["a", "b", "c"].map { try text("run/\($0)") }
    #expect(Set(texts).count == 1)
    #expect(temporary.names == ["run"])
  }
}
