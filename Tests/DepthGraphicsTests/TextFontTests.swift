import Foundation
import FathomTestSupport
import Testing

@testable import DepthGraphics

@Suite("Fonts")
struct TextFontTests {
  // Fontconfig reads its configuration once in a process.
  @Test(
    "a machine without fonts is known as one, and fontconfig prints nothing", arguments: ["missing", "empty"])
  func none(configuration: String) async throws {
    let result = try await #require(
      processExitsWith: .exitCode(42), observing: [\.standardErrorContent]
    ) { [configuration] in
      let folder = try TemporaryFolder()
      let path = folder.path("fonts.conf")
      if configuration == "empty" {
        try Data("<fontconfig><dir>\(folder.path("none"))</dir></fontconfig>".utf8)
          .write(to: URL(fileURLWithPath: path))
      }
      setenv("FONTCONFIG_FILE", path, 1)
      let isInstalled = TextFont.isInstalled
      // Without any configuration fontconfig may find fonts by itself.
      _exit(configuration == "empty" && isInstalled ? 1 : 42)
    }
    #expect(!String(decoding: result.standardErrorContent, as: UTF8.self).contains("ontconfig"))
  }

  @Test("here it is installed")
  func here() {
    #expect(TextFont.isInstalled)
  }
}
