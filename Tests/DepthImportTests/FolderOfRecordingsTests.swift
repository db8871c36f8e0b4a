import DepthImport
import FathomStorage
import FathomTestSupport
import Foundation
import Testing

/// Of a folder of recordings and data sets, all are taken or named.
@Suite struct FolderOfRecordingsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func stray(_ name: String) throws {
    for (file, text) in [
      ("odometry.csv", "timestamp, frame\n"), ("camera_matrix.csv", "1, 2\n"), ("depth/0.png", ""),
    ] {
      try put(text, "\(name)/\(file)")
    }
  }

  private func put(_ text: String, _ name: String) throws {
    let url = URL(fileURLWithPath: folder.path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  @Test("recordings beside data sets are taken, and the rest is named")
  func mixed() throws {
    for name in ["data/a", "data/b"] { try stray(name) }
    for name in ["data/one.h5", "data/notes/todo.txt", "data/old.zip", "data/readme.md"] {
      try put("x", name)
    }
    let found = try #require(FolderOfRecordings(folder.path("data")))
    #expect(found.recordings == [folder.path("data/a"), folder.path("data/b")])
    #expect(found.others == ["notes", "old.zip"])
    #expect(found.omission?.contains("notes, old.zip") == true)
  }

  @Test("a recording, a file and a folder of neither are not such folders")
  func none() throws {
    try stray("scan")
    try put("x", "other/readme.md")
    for name in ["scan", "scan/odometry.csv", "other", "missing"] {
      #expect(FolderOfRecordings(folder.path(name)) == nil)
    }
    #expect(FolderOfRecordings(folder.path(""))?.recordings == [folder.path("scan")])
  }

  @Test("with a mapping, recordings are what it describes")
  func mapped() throws {
    for name in ["rooms/x/maps/1.png", "rooms/y/maps/1.png", "rooms/z/pictures/1.png"] { try put("x", name) }
    try put("match: {by: number}\ndepth: {files: [\"maps/*.png\"], unit: mm}\n", "m.yaml")
    let found = try #require(FolderOfRecordings(folder.path("rooms"), mapping: folder.path("m.yaml")))
    #expect(found.recordings == [folder.path("rooms/x"), folder.path("rooms/y")] && found.others == ["z"])
    #expect(FolderOfRecordings(folder.path("rooms")) == nil)
  }
}
