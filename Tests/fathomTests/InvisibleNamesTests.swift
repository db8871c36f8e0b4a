import DepthEvaluation
import FathomRunFolders
import DepthCore
import DepthReport
import Foundation
import FathomPlainText
import FathomTestSupport
import Testing

@testable import FathomCommandLine

@Suite("names that a terminal would obey")
struct InvisibleNamesTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let name = "a\u{1b}[31m\u{7f}\u{9b}1m\u{202e}\t\r\n\\u{1b}=b"

  private func makeData() throws {
    var number = 0
    try sampleCopy(to: folder.path("data.h5")) { header in
      number += 1
      header.name = Self.name + "\(number)"
      header.frameIDs = (0..<header.frameCount).map { Self.name + "\($0)" }
    }
  }

  @Test("are written by their codes into every file of text, and read back as they were")
  func files() async throws {
    try makeData()
    let path = folder.path("run")
    let failure = await run(
      "evaluate", folder.path("data.h5"), "--methods", "ols", "--no-objects", "--output", path, "--quiet")
    #expect(failure == nil, "\(failure?.message ?? "")")
    #expect(await run("report", path, "--format", "json", "--quiet") == nil)
    #expect(await run("report", path, "--format", "latex", "--quiet") == nil)
    var endings: Set<String> = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: path) {
      guard let data = FileManager.default.contents(atPath: path + "/" + file),
        let text = String(validating: data, as: UTF8.self)
      else { continue }
      endings.insert(URL(fileURLWithPath: file).pathExtension)
      let wrong = text.unicodeScalars.first { $0.isInvisible && $0 != "\n" && $0 != "\t" }
      #expect(wrong == nil, "\(file): \(wrong?.code ?? "")")
    }
    #expect(endings.isSuperset(of: ["csv", "json", "html", "md", "tex", "svg"]))
    let rows = try String(contentsOfFile: path + "/frames.csv", encoding: .utf8).split(separator: "\n")
      .dropFirst()
    #expect(
      rows.allSatisfy { $0.hasPrefix(#"a\u{1b}[31m\u{7f}\u{9b}1m\u{202e}\u{9}\u{d}\u{a}\u{5c}u{1b}=b"#) })
    let records = try StoredRun(readingFrom: path).frames.records
    #expect(
      !records.isEmpty
        && records.allSatisfy { $0.scene.hasPrefix(Self.name) && $0.frame.hasPrefix(Self.name) })
    let manifest = try StoredRun(readingFrom: path).manifest
    #expect(manifest.scenes.allSatisfy { $0.name.hasPrefix(Self.name) })
  }

  @Test("and so into what is printed", .enabled(if: BuiltCommand.path != nil, BuiltCommand.comment))
  func printed() throws {
    try makeData()
    for words in [["inspect"], ["inspect", "--json"], ["diagnose"], ["diagnose", "--json"]] {
      let found = try BuiltCommand(
        words.prefix(1) + [folder.path("data.h5")] + words.dropFirst(), in: folder.url, seconds: 120)
      #expect(found.code == 0, "\(found.errors)")
      #expect(!found.output.isEmpty)
      for text in [found.output, found.errors] {
        #expect(text.unicodeScalars.allSatisfy { !$0.isInvisible || $0 == "\n" || $0 == "\t" }, "\(words)")
      }
    }
  }
}
