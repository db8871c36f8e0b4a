import Foundation

/// A folder that lives as long as the test.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "fathom-dataset-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }
  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? [] }
}

/// Where things outside the test target lie.
enum Places {
  static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Real files that are no part of the repository.
  static let realData: String =
    ProcessInfo.processInfo.environment["FATHOM_REAL_DATA"]
    ?? package.deletingLastPathComponent().appending(path: "shared/data").path
  static var hasRealData: Bool { FileManager.default.fileExists(atPath: realData + "/iphone-stray.h5") }
}
