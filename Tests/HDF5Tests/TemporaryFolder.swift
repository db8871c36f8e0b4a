import Foundation

/// A folder that lives as long as the test.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "fathom-hdf5-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }
}

/// Real files that are no part of the repository.
enum RealData {
  static var folder: String {
    if let folder = ProcessInfo.processInfo.environment["FATHOM_REAL_DATA"] { return folder }
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return package.deletingLastPathComponent().appending(path: "shared/data").path
  }
  static func path(_ name: String) -> String { folder + "/sources/" + name }
  static var isPresent: Bool { FileManager.default.fileExists(atPath: path("hdf5-features")) }
}
