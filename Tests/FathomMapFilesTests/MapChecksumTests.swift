import DepthCore
import Foundation
import FathomPictureFiles
import FathomTestSupport
import Testing

@testable import FathomMapFiles

/// Bytes that changed in an `.npz` are noticed by the zip's checksums.
@Suite struct MapChecksumTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let values = (0..<48).map { Float($0) / 8 }

  private static let array = MadeNumpy.array(values, "6, 8")

  private func map(_ bytes: [UInt8]) throws -> [Float] {
    let path = folder.path("map.npz")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try MapFile(at: path).layer(0).reals.values
  }

  @Test("a changed byte of an .npz is refused or harmless, stored or deflated")
  func flips() throws {
    for entry in [MadeArchive.Entry.file("depth.npy", Self.array), .packed("depth.npy", Self.array)] {
      let archive = MadeArchive.zip([entry])
      #expect(try map(archive) == Self.values)
      // Behind the header of 30 bytes and the name; before the list of 46 bytes and a name, and the end of 22.
      let inside = 39..<archive.count - 77
      for place in archive.indices {
        var changed = archive
        changed[place] ^= 1 << (place % 8)
        let found = try? map(changed)
        #expect(found == nil || found == Self.values, "byte \(place)")
        if inside.contains(place) { #expect(found == nil, "byte \(place)") }
      }
      do {
        var changed = archive
        changed[inside.upperBound - 1] ^= 1
        _ = try map(changed)
      } catch {
        #expect((error as? PictureFault)?.reason == "the array 'depth' is damaged: its checksum is wrong")
      }
    }
  }
}
