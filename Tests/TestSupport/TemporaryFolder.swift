public import Foundation

/// A folder that disappears with its owner.
public final class TemporaryFolder: Sendable {
  public let url: URL

  public init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("fathom-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Path of a file in the folder.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file, and the folders above it.
  public func put(_ bytes: [UInt8], _ name: String) throws {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  public func put(_ text: String, _ name: String) throws { try put(Array(text.utf8), name) }

  /// Writes a script that can be started, and gives its path.
  ///
  /// Another process writes the file. A process that another test starts meanwhile keeps open what this one has open, until it begins its
  /// own program; and the system starts no file that is open for writing.
  public func put(script: String, _ name: String) throws -> String {
    try put("#!/bin/sh\n\(script)\n", name + ".text")
    let copying = Process()
    copying.executableURL = URL(fileURLWithPath: "/usr/bin/install")
    copying.arguments = ["-m", "755", path(name + ".text"), path(name)]
    try copying.run()
    copying.waitUntilExit()
    try FileManager.default.removeItem(atPath: path(name + ".text"))
    return path(name)
  }

  /// Whether the folder holds a file of this name.
  public func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// Names of the files in the folder, sorted.
  public var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? []
  }
}
