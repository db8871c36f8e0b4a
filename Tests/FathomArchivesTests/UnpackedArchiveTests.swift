import FathomArchives
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@Suite struct UnpackedArchiveTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func unpack(
    _ bytes: [UInt8], _ bounds: ArchiveBounds = ArchiveBounds()
  ) throws(FathomError) -> UnpackedArchive {
    let path = folder.path("made")
    _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
    return try UnpackedArchive(path, bounds: bounds)
  }

  private func reason(_ bytes: [UInt8], _ bounds: ArchiveBounds = ArchiveBounds()) -> String {
    do throws(FathomError) { _ = try unpack(bytes, bounds) } catch {
      #expect(!error.description.contains("\n"))
      return error.reason
    }
    return "none"
  }

  private static let good: [MadeArchive.Entry] = [
    .folder("scan"), .file("scan/a.txt", [1, 2, 3]), .file("scan/deep/b", [UInt8](repeating: 7, count: 1000)),
    .file("__MACOSX/scan/._a.txt", [0]), .file("scan/.DS_Store", [0]),
  ]

  @Test(arguments: [MadeArchive.zip(good), MadeArchive.tar(good)])
  func anArchiveLiesInAFolderAsLongAsItIsHeld(_ bytes: [UInt8]) throws {
    var archive: UnpackedArchive? = try unpack(bytes)
    #expect(UnpackedArchive.isArchive(folder.path("made")))
    let place = try #require(archive?.folder)
    #expect(FileManager.default.contents(atPath: place + "/scan/a.txt") == Data([1, 2, 3]))
    #expect(FileManager.default.contents(atPath: place + "/scan/deep/b")?.count == 1000)
    // What file managers add is skipped.
    #expect(try FileManager.default.subpathsOfDirectory(atPath: place).count == 4)
    let mode = try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    archive = nil
    #expect(!FileManager.default.fileExists(atPath: place))
  }

  @Test("names beyond ASCII are unpacked, in a zip that marks them as UTF-8 and in a tar")
  func otherNames() throws {
    let entries: [MadeArchive.Entry] = [.file("K\u{fc}che/\u{6df1}.txt", [1, 2, 3])]
    for bytes in [MadeArchive.zip(entries), MadeArchive.tar(entries)] {
      let archive = try unpack(bytes)
      let path = archive.folder + "/K\u{fc}che/\u{6df1}.txt"
      #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
    }
  }

  @Test func packedWithGzipItIsTheSame() throws {
    let path = folder.path("made.tar")
    try Data(MadeArchive.tar(Self.good)).write(to: URL(fileURLWithPath: path))
    let gzip = Process()
    gzip.executableURL = URL(fileURLWithPath: "/bin/gzip")
    gzip.arguments = [path]
    try gzip.run()
    gzip.waitUntilExit()
    let archive = try UnpackedArchive(path + ".gz")
    #expect(FileManager.default.contents(atPath: archive.folder + "/scan/a.txt") == Data([1, 2, 3]))
  }

  @Test(arguments: [
    "../a", "scan/../../a", "/tmp/a", "scan\\..\\a",
  ])
  func namesThatLeadOutAreRefused(_ name: String) {
    for bytes in [MadeArchive.zip([.file(name, [1])]), MadeArchive.tar([.file(name, [1])])] {
      #expect(reason(bytes).contains("leads out of the folder"))
    }
  }

  @Test("where the place to unpack to cannot be written, the archive is not blamed")
  func unwritablePlace() throws {
    let path = folder.path("made.zip")
    try Data(MadeArchive.zip(Self.good)).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: FathomError.self) {
      try UnpackedArchive.unpack(path, into: folder.path("absent"))
    }
    #expect(error?.kind == .inputOutput)
    #expect(error?.reason == "the temporary folder cannot be written: there is no such file or folder")
    #expect(error?.advice.hasPrefix("free some space") == true)
  }

  @Test func linksAreRefused() {
    let entries: [MadeArchive.Entry] = [.link("a", to: "/etc/passwd"), .file("a/b", [1])]
    #expect(reason(MadeArchive.zip(entries)) == "its entry 'a' is a link")
    #expect(reason(MadeArchive.tar(entries)) == "its entry 'a' is a link")
  }

  @Test func whatFillsDisksIsRefused() {
    var bounds = ArchiveBounds()
    (bounds.freeBytes, bounds.expansion) = (1000, 20)
    let bomb = MadeArchive.zip([.zeros("a", 500_000)])
    #expect(bomb.count < 5000)
    #expect(reason(bomb, bounds).contains("more than 20 times as large"))
    // Small ones may.
    bounds.freeBytes = 1 << 20
    #expect(reason(bomb, bounds) == "none")
    bounds.entryBytes = 1000
    #expect(reason(bomb, bounds) == "its entry 'a' has more than 1000 bytes")
    bounds = ArchiveBounds()
    bounds.totalBytes = 1500
    #expect(
      reason(
        MadeArchive.zip([
          .file("a", [UInt8](repeating: 1, count: 1000)), .file("b", [UInt8](repeating: 1, count: 1000)),
        ]), bounds)
        == "it holds more than 1500 bytes")
    bounds = ArchiveBounds()
    bounds.entries = 3
    let many = (0..<4).map { MadeArchive.Entry.file("\($0)", []) }
    #expect(reason(MadeArchive.tar(many), bounds) == "it holds more than 3 entries")
  }

  @Test func soManyEntriesAreRefusedBeforeTheyAreLookedAt() {
    var bounds = ArchiveBounds()
    (bounds.entries, bounds.emptyFiles) = (3, 2)
    // Folders, and what file managers add, count too.
    let ignored: [MadeArchive.Entry] = [
      .folder("a"), .file("a/.DS_Store", [1]), .file("__MACOSX/b", [1]), .file("a/c", [1]),
    ]
    for bytes in [MadeArchive.zip(ignored), MadeArchive.tar(ignored)] {
      #expect(reason(bytes, bounds) == "it holds more than 3 entries")
    }
    // A zip that says so: nothing of it is unpacked, for its list is not even there.
    var end = Array(MadeArchive.zip(ignored).suffix(22))
    #expect(reason([0x50, 0x4B, 3, 4] + end, bounds) == "it holds more than 3 entries")
    // Of a large one the number stands before the end, in 8 bytes.
    let large: [UInt8] =
      [0x50, 0x4B, 6, 6] + [UInt8](repeating: 0, count: 28) + [0x40, 0x42, 0x0F, 0, 0, 0, 0, 0]
      + [UInt8](repeating: 0, count: 16)
    let locator: [UInt8] = [0x50, 0x4B, 6, 7, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]
    end.replaceSubrange(8..<12, with: [0xFF, 0xFF, 0xFF, 0xFF])
    bounds.entries = 999_999
    #expect(
      reason([0x50, 0x4B, 3, 4] + large + locator + end, bounds) == "it holds more than 999999 entries")
    bounds.entries = 100
    let empty = (0..<3).map { MadeArchive.Entry.file("\($0)", []) }
    for bytes in [MadeArchive.zip(empty), MadeArchive.tar(empty)] {
      #expect(reason(bytes, bounds) == "it holds more than 2 empty files")
    }
  }

  @Test func oneNameForAFileAndAFolderIsRefused() {
    let (file, folder) = (MadeArchive.Entry.file("scan/a", [1]), MadeArchive.Entry.folder("scan/a"))
    let below = MadeArchive.Entry.file("scan/a/b", [2])
    for entries in [[file, folder], [folder, file], [file, below], [below, file]] {
      for bytes in [MadeArchive.zip(entries), MadeArchive.tar(entries)] {
        #expect(reason(bytes) == "it holds 'scan/a' as a file and as a folder")
      }
    }
    // A folder may be named again, and may have no entry of its own.
    #expect(reason(MadeArchive.zip([folder, folder, below])) == "none")
  }

  @Test(arguments: ["scan/./a", "scan//a", "./scan/a", "scan/e\u{301}"])
  func oneNameInTwoSpellingsIsRefused(_ name: String) {
    let first = MadeArchive.Entry.file(name.contains("\u{301}") ? "scan/\u{e9}" : "scan/a", [1])
    #expect(reason(MadeArchive.tar([first, .file(name, [2])])) == "it holds '\(name)' twice")
  }

  @Test func damagedAndCutArchivesAreRefused() {
    let whole = MadeArchive.zip(Self.good)
    for length in [20, 60, 200, 900] { #expect(reason(Array(whole.prefix(length))) != "none") }
    let tar = MadeArchive.tar(Self.good)
    for length in [700, 1100, 2000] { #expect(reason(Array(tar.prefix(length))) != "none") }
    var changed = whole
    changed[300] ^= 1  // in the bytes of a file, which its sum tells
    #expect(reason(changed) != "none")
    #expect(reason(Array("neither".utf8)) != "none")
    #expect(reason(MadeArchive.zip([.file("a", [1]), .file("a", [2])])) == "it holds 'a' twice")
  }
}
