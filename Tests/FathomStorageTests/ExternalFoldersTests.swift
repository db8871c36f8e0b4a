import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@Suite struct ExternalFoldersTests {
  let folder: TemporaryFolder
  /// Without links in its path.
  let place: String

  init() throws {
    folder = try TemporaryFolder()
    try folder.put("x", "data/set.h5")
    try folder.put("x", "store/set.h5")
    place = try #require(ExternalFolders.resolved(folder.url.path))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("data/linked.h5"), withDestinationPath: folder.path("store/set.h5"))
  }

  @Test("the data's own folder is the one that their path names, and the one that a link there leads to")
  func own() {
    let rule = ExternalFolders.own
    #expect(rule.places(besides: folder.path("data/set.h5")) == [place + "/data"])
    #expect(rule.places(besides: folder.path("data/linked.h5")) == [place + "/data", place + "/store"])
    // Of a folder, the one that it lies in.
    #expect(rule.places(besides: folder.path("data")) == [place])
    #expect(rule.places(besides: folder.path("data") + "/") == [place])
    #expect(rule.places(besides: "/") == ["/"])
    #expect(ExternalFolders().places(besides: folder.path("data/set.h5")).isEmpty)
    #expect(
      ExternalFolders(named: [folder.path("absent")]).places(besides: folder.path("data/set.h5")).isEmpty)
    #expect(
      ExternalFolders(named: [folder.path("store")]).places(besides: folder.path("data/set.h5")) == [
        place + "/store"
      ])
  }

  @Test("a file lies in a folder by its bytes, after links")
  func holds() throws {
    try folder.put("x", "data-2/set.h5")
    try folder.put("x", "de\u{301}/set.h5")
    try folder.put("x", "d\u{e9}/set.h5")
    let data = [place + "/data"]
    #expect(ExternalFolders.holds(data, folder.path("data/set.h5")))
    #expect(ExternalFolders.holds(data, folder.path("store/../data/set.h5")))
    #expect(!ExternalFolders.holds(data, folder.path("data/linked.h5")))
    #expect(!ExternalFolders.holds(data, folder.path("data-2/set.h5")))
    #expect(!ExternalFolders.holds(data, folder.path("data/../store/set.h5")))
    #expect(!ExternalFolders.holds(data, folder.path("data/absent.h5")))
    #expect(!ExternalFolders.holds([place + "/de\u{301}"], place + "/d\u{e9}/set.h5"))
    #expect(ExternalFolders.holds(["/"], folder.path("data/set.h5")))
    #expect(!ExternalFolders.holds([], folder.path("data/set.h5")))
  }
}
