import FathomTestSupport
import Foundation
import Testing

/// The C readers with one allocation after the other that fails, in a program of its own: Swift's would end the tests.
@Suite("Pictures without memory")
struct PictureMemoryTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// What a program prints, line by line.
  private func lines(_ words: [String]) throws -> [Substring] {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = PackageFiles.root
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return text.split(separator: "\n")
  }

  @Test("a picture that is whole is never blamed where a library had no memory")
  func failingAllocations() throws {
    let program = folder.path("picture_memory")
    let readers = ["exr", "png", "tiff"].map { "Sources/CFathomPictures/\($0)_reading.c" }
    let needs = "OpenEXR libpng libtiff-4 libdeflate"
    _ = try lines([
      "sh", "-c",
      "cc -std=gnu11 -o \"$0\" -ISources/CFathomPictures/include $(pkg-config --cflags \(needs)) "
        + "Tests/Faults/picture_memory.c \(readers.joined(separator: " ")) -lOpenEXRCore "
        + "$(pkg-config --libs-only-l libpng libtiff-4 libdeflate)",
      program,
    ])
    try Data(MadePNG.grey16(8, 6, (0..<48).map { UInt16($0 * 1000) })).write(
      to: URL(fileURLWithPath: folder.path("map.png")))
    for (kind, path) in [
      ("png", folder.path("map.png")), ("exr", "Tests/Fuzz/seeds/map.exr"),
      ("tiff", "Tests/Fuzz/seeds/map.tiff"),
    ] {
      let outcomes = try lines([program, kind, path])
      #expect(outcomes.first == "1 ", "\(kind)")
      #expect(outcomes.filter { $0.hasPrefix("-1 ") }.count > 5, "\(kind): \(outcomes)")
      // Some versions of libtiff end the process, which is the machine's fault as well.
      #expect(outcomes.allSatisfy { !$0.hasPrefix("0 ") }, "\(kind): \(outcomes)")
    }
  }
}
