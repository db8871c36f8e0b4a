import DepthEvaluation
import FathomStorage
import FathomRuns
import ArgumentParser
import DepthDataset
import Foundation
import FathomTestSupport
import Testing

@Suite("input that changes while it is read")
struct ChangedInputTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test("is refused before results get their name")
  func refused() throws {
    let path = folder.path("data.h5")
    try FileManager.default.copyItem(atPath: sample, toPath: path)
    let inputs = try RunInputs(DataSelection([path]), rules: .fathom) { _ in }
    try inputs.requireUnchanged()
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([0]))
    try handle.close()
    let error = try #require(throws: FathomError.self) { try inputs.requireUnchanged() }
    #expect(
      error.description
        == "cannot use what was read: \(path): the file changed while it was read; run again when "
        + "nothing writes it")
  }
}
