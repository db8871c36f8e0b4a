import Foundation
import Testing

@testable import FathomParserFuzz

/// The inputs that libFuzzer found worth keeping go through every parser once more: one that ends the process ends the tests.
@Suite struct KeptInputsTests {
  private static let corpus = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz/corpus")

  @Test(arguments: FuzzedParser.all.keys.sorted())
  func keptInputs(of name: String) throws {
    let parser = try #require(FuzzedParser.all[name])
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.corpus.appending(path: name), includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    for file in files { parser(Array(try Data(contentsOf: file))) }
  }

  @Test func everyFolderHasItsParser() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
    #expect(Set(folders) == Set(FuzzedParser.all.keys))
  }
}
