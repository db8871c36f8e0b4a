import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@Suite("Relative paths")
struct RelativePathTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.put("x", "far/data/it's a room.h5")
    try folder.put("x", "runs/old/run.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("far/data"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("runs/elsewhere"), withDestinationPath: folder.path("far"))
  }

  @Test(
    "leads there, over links too",
    arguments: [
      ("far/data/it's a room.h5", "runs/old", "../../far/data/it's a room.h5"),
      ("far/data/it's a room.h5", "runs/new", "../../far/data/it's a room.h5"),
      ("link/it's a room.h5", "runs/old", "../../far/data/it's a room.h5"),
      ("far/data/../data/it's a room.h5", "far", "data/it's a room.h5"),
      ("link", "runs/old", "../../link"),
      // Out of what the link leads to.
      ("runs/old/run.json", "runs/elsewhere", "../runs/old/run.json"),
      ("runs/-x", "runs", "./-x"), ("runs", "runs", "."),
    ])
  func leads(_ path: String, _ start: String, _ expected: String) throws {
    let way = RelativePath.to(folder.path(path), from: folder.path(start))
    #expect(way == expected)
  }

  @Test("begins in the folder of the process where none is named")
  func ofProcess() {
    let way = RelativePath.to(folder.path("far/data/it's a room.h5"))
    #expect(!way.hasPrefix("/") && FileManager.default.contents(atPath: way) == Data("x".utf8))
    #expect(RelativePath.to("x/y.h5") == "x/y.h5" && RelativePath.to("./y.h5") == "y.h5")
  }
}
