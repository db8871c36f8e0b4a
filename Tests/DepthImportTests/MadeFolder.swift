import Foundation
import FathomTestSupport

/// Files of a recording, put into a folder or an archive.
final class MadeFolder {
  private let folder: TemporaryFolder
  private(set) var entries: [(name: String, bytes: [UInt8])] = []

  init() throws { folder = try TemporaryFolder() }

  func add(_ name: String, _ bytes: [UInt8]) { entries.append((name, bytes)) }
  func add(_ name: String, _ text: String) { add(name, Array(text.utf8)) }

  /// Writes the files into a folder of this name.
  func asFolder(_ name: String) throws -> String {
    for entry in entries {
      let url = URL(fileURLWithPath: folder.path(name) + "/" + entry.name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(entry.bytes).write(to: url)
    }
    return folder.path(name)
  }

  /// Packs them, each below `prefix`.
  func asZip(_ name: String, below prefix: String = "") throws -> String {
    let bytes = MadeArchive.zip(entries.map { .file(prefix + $0.name, $0.bytes) })
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
    return folder.path(name)
  }

  func asTar(_ name: String, below prefix: String = "") throws -> String {
    let bytes = MadeArchive.tar(entries.map { .file(prefix + $0.name, $0.bytes) })
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
    return folder.path(name)
  }
}
