import DepthDataset
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

/// Input that changes while it is read.
@Suite struct SourceFilesTests {
  let folder: TemporaryFolder
  let path: String
  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("data.h5")
    try KnownScene.write(to: path)
  }

  private func reason(_ change: () throws -> Void) throws -> String? {
    let reader = try DatasetReader(readingFrom: path)
    try reader.sources.requireUnchanged()
    try change()
    do throws(FathomError) { try reader.sources.requireUnchanged() } catch {
      #expect(error.kind == .badData)
      return error.reason
    }
    return nil
  }

  @Test func whatIsOnlyReadIsUnchanged() throws {
    #expect(try reason { _ = try Data(contentsOf: URL(filePath: path)) } == nil)
  }

  @Test func oneByteWrittenInPlaceIsNoticedThoughTimesAreSetBack() throws {
    let found = try reason {
      let times = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
      let handle = try #require(FileHandle(forUpdatingAtPath: path))
      let last = try handle.seekToEnd() - 1
      try handle.seek(toOffset: last)
      let byte = try #require(try handle.read(upToCount: 1)?.first)
      try handle.seek(toOffset: last)
      try handle.write(contentsOf: Data([byte ^ 1]))
      try handle.close()
      try FileManager.default.setAttributes([.modificationDate: try #require(times)], ofItemAtPath: path)
    }
    #expect(found == "the file changed while it was read")
  }

  @Test func anotherFileUnderTheSameNameIsNoticed() throws {
    let found = try reason {
      let copy = folder.path("copy.h5")
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: copy, toPath: path)
    }
    #expect(found == "the file changed while it was read")
  }

  @Test func aFileThatIsGoneIsNoticed() throws {
    #expect(
      try reason { try FileManager.default.removeItem(atPath: path) }
        == "the file was removed while it was read")
  }
}
