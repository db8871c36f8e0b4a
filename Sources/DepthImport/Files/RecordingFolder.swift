private import Foundation
internal import PlainText
public import Storage

/// The files of a recording's folder, by name.
public struct RecordingFolder: Sendable {
  /// As the user named it.
  public let path: String
  /// Names of the files, relative to the folder, in the order of their bytes; hidden ones are left out.
  public let names: [String]
  /// Names of the folders right below.
  public let folders: [String]

  /// Folders of recordings are not deeper.
  private static let mostLevels = 3
  /// A disk is no recording.
  private static let mostFiles = 2_000_000

  /// - Throws: `FathomError` `.noInput` where it is no folder or cannot be read; `.badData` where it holds too much.
  public init(_ path: String) throws(FathomError) {
    var trimmed = path[...]
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    self.path = String(trimmed)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: self.path, isDirectory: &isFolder) else {
      throw Self.failure(path, "there is no such file or folder", "check the path")
    }
    guard isFolder.boolValue else {
      throw Self.failure(
        path, "it is a file, and a recording is a folder", "give the folder; unpack an archive first")
    }
    var (found, folders): ([String], [String]) = ([], [])
    try Self.list(self.path, "", Self.mostLevels, &found, &folders)
    names = found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    self.folders = folders.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Its last part: what the recording is called.
  public var name: String {
    let real = URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().lastPathComponent
    return real.isEmpty || real == "/" ? "recording" : real
  }

  /// The files that match, with what the stars stand for.
  func files(_ pattern: FilePattern) -> [(name: String, capture: String)] {
    names.compactMap { name in pattern.capture(in: name).map { (name, $0) } }
  }

  /// The files of the first pattern that any file matches.
  func files(_ patterns: [FilePattern]) -> [(name: String, capture: String)] {
    for pattern in patterns {
      let found = files(pattern)
      if !found.isEmpty { return found }
    }
    return []
  }

  func path(of name: String) -> String { path + "/" + name }

  private static func list(
    _ root: String, _ below: String, _ levels: Int, _ files: inout [String], _ folders: inout [String]
  ) throws(FathomError) {
    let folder = below.isEmpty ? root : root + "/" + below
    let entries: [String]
    do { entries = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw failure(folder, SystemReason.words(error), "check who may read it")
    }
    for entry in entries where !entry.hasPrefix(".") {
      let name = below.isEmpty ? entry : below + "/" + entry
      var status = stat()
      guard stat(root + "/" + name, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFREG: files.append(name)
      case S_IFDIR:
        if below.isEmpty { folders.append(entry) }
        if levels > 1 { try list(root, name, levels - 1, &files, &folders) }
      default: continue  // a pipe would be waited for
      }
      guard files.count <= mostFiles else {
        throw FathomError(
          .badData, attempted: "read the recording", file: root,
          reason: "it holds more than \(mostFiles) files", advice: "give the folder of one recording")
      }
    }
  }

  private static func failure(_ path: String, _ reason: String, _ advice: String) -> FathomError {
    FathomError(.noInput, attempted: "read the recording", file: path, reason: reason, advice: advice)
  }
}
