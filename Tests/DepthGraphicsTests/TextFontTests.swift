import Foundation
import TestSupport
import Testing

@testable import DepthGraphics

@Suite("Fonts")
struct TextFontTests {
  // Fontconfig reads its configuration once in a process.
  @Test("a machine without fonts is told so in one line, and fontconfig prints nothing")
  func none() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(42), observing: [\.standardErrorContent]
    ) {
      let folder = try TemporaryFolder()
      let configuration = folder.path("fonts.conf")
      try Data("<fontconfig><dir>\(folder.path("none"))</dir></fontconfig>".utf8)
        .write(to: URL(fileURLWithPath: configuration))
      setenv("FONTCONFIG_FILE", configuration, 1)
      do throws(GraphicsError) { try TextFont.require() } catch {
        _exit(error.reason.contains("no font is installed") ? 42 : 2)
      }
      _exit(1)
    }
    #expect(!String(decoding: result.standardErrorContent, as: UTF8.self).contains("ontconfig"))
  }

  @Test("a machine with fonts that fontconfig has no settings for still draws")
  func unconfigured() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(42), observing: [\.standardErrorContent]
    ) {
      setenv("FONTCONFIG_FILE", "/nonexistent", 1)
      // Whether fontconfig finds a font by itself is its own business.
      try? TextFont.require()
      _exit(42)
    }
    #expect(!String(decoding: result.standardErrorContent, as: UTF8.self).contains("ontconfig"))
  }
}
