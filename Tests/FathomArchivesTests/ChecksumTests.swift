import FathomArchives
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

/// Bytes that changed in an archive are noticed by its checksums, not taken for a recording's.
@Suite struct ChecksumTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let contents: [[UInt8]] = [
    (0..<90).map { UInt8($0 * 7 & 255) }, Array("1600, 0, 960\n".utf8), [UInt8](repeating: 9, count: 600),
  ]
  private static let entries = contents.enumerated().map { MadeArchive.Entry.file("scan/\($0)", $1) }

  /// The contents of the files that come out; nil where the archive is refused.
  private func unpacked(_ bytes: [UInt8]) -> Set<[UInt8]>? {
    let path = folder.path("made")
    guard FileManager.default.createFile(atPath: path, contents: Data(bytes)),
      let archive = try? UnpackedArchive(path),
      let names = try? FileManager.default.subpathsOfDirectory(atPath: archive.folder)
    else { return nil }
    return Set(
      names.compactMap { FileManager.default.contents(atPath: archive.folder + "/" + $0) }.map { Array($0) })
  }

  /// - Returns: At how many places a changed byte was refused.
  private func refusals(_ archive: [UInt8], in places: Range<Int>? = nil) -> Int {
    var refused = 0
    for place in places ?? archive.indices {
      var changed = archive
      changed[place] ^= 1 << (place % 8)
      guard let found = unpacked(changed) else {
        refused += 1
        continue
      }
      #expect(found.isSubset(of: Set(Self.contents)), "byte \(place)")
    }
    return refused
  }

  @Test("a changed byte of a zip is refused or harmless, stored or deflated")
  func zip() throws {
    for archive in [
      MadeArchive.zip(Self.entries),
      MadeArchive.zip(Self.contents.enumerated().map { .packed("scan/\($0)", $1) }),
    ] {
      #expect(unpacked(archive) == Set(Self.contents))
      // The first file's bytes lie behind its header of 30 bytes and its name.
      #expect(refusals(archive, in: 36..<100) == 64)
      _ = refusals(archive)
    }
  }

  @Test("a changed byte of a packed tar is refused or harmless, and so is a cut one")
  func gzip() throws {
    let archive = MadeDeflate.gzip(MadeArchive.tar(Self.entries))
    #expect(unpacked(archive) == Set(Self.contents))
    // All but what tells the time and the system in the header.
    #expect(refusals(archive) >= archive.count - 10)
    for length in stride(from: 20, to: archive.count, by: 97) {
      #expect(unpacked(Array(archive.prefix(length))) == nil, "\(length) bytes")
    }
    // The checksum and the length stand last.
    #expect(refusals(archive, in: archive.count - 8..<archive.count) == 8)
  }
}
