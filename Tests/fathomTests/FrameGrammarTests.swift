import DepthCore
import FathomRuns
import FathomTestSupport
import Testing

@testable import FathomCommandLine

@Suite("Frames by name and position")
struct FrameGrammarTests {
  private func scene(_ ids: [String]?, _ count: Int = 5) -> SceneHeader {
    var scene = SceneHeader(name: "room", frameCount: count)
    scene.frameIDs = ids
    return scene
  }

  @Test(
    "a word is a name where there is one, and else a position",
    arguments: [
      ("1:3", 1..<3), (":2", 0..<2), ("3:", 3..<5), ("2", 2..<3), ("2:99", 2..<5), ("9", 0..<0),
    ])
  func positions(_ text: String, _ expected: Range<Int>) throws {
    #expect(try #require(FrameRange(text)).frames(of: scene(nil)) == expected)
    #expect(
      try #require(FrameRange(text)).frames(of: scene(["000", "040", "080", "120", "160"])) == expected)
  }

  @Test(
    "names make ranges, too",
    arguments: [
      ("040", 1..<2), ("040:120", 1..<3), ("120:", 3..<5), (":040", 0..<1), ("1:120", 1..<3), ("nine", 0..<0),
      ("a:b", 4..<5),
    ])
  func names(_ text: String, _ expected: Range<Int>) throws {
    #expect(
      try #require(FrameRange(text)).frames(of: scene(["000", "040", "080", "120", "a:b"])) == expected)
  }

  @Test("slips are not frames", arguments: ["", "0-1", "-1:2", "5:2", "3:3", "1:2:3"])
  func slips(_ text: String) { #expect(FrameRange(text) == nil) }

  @Test("render and evaluate take the same words")
  func commands() async throws {
    let folder = try TemporaryFolder()
    #expect(
      await run([
        "render", sample, "--frames", "1:", "--format", "ply", "--output", folder.path("r"), "--quiet",
      ]) == nil)
    #expect(
      await run([
        "evaluate", sample, "--frames", "1", "--methods", "ols", "--no-figures", "--no-gallery", "--output",
        folder.path("e"), "--quiet",
      ])
        == nil)
    let missing = await run(["render", sample, "--frame", "x", "--output", folder.path("m.png"), "--quiet"])
    #expect(missing?.message.contains("there are 0, 1") == true)
  }
}
