import FathomTestSupport
import Foundation
import Testing

@testable import fathom

@Suite("Fonts of a package")
struct PackagedFontsTests {
  @Test("a command has the fonts of the folder that it lies in, and without them those of the system")
  func beside() throws {
    let folder = try TemporaryFolder()
    let command = folder.path("bin/fathom")
    #expect(PackagedFonts.configuration(beside: command) == nil)
    let fonts = folder.path("share/fathom/fonts")
    try FileManager.default.createDirectory(atPath: fonts, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: fonts + "/fonts.conf"))
    #expect(PackagedFonts.configuration(beside: command) == fonts + "/fonts.conf")
  }
}
