private import Foundation
internal import FathomMapFiles
internal import FathomStorage

/// A folder that holds recordings, data sets, or both, and is not a recording itself.
public struct FolderOfRecordings: Sendable {
  /// Paths of the recordings right below it.
  public private(set) var recordings: [String] = []
  /// Names of what lies beside them and is neither a recording nor a data set, nor a folder that a command wrote.
  public private(set) var others: [String] = []

  /// Looks at names only. nil for a file, a recording, and where there is neither a recording nor a data set.
  /// - Parameter mapping: File of the mapping that says what a recording is; nil for every format that is known.
  public init?(_ path: String, mapping: String? = nil) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue,
      let folder = try? RecordingFolder(path)
    else { return nil }
    let own = folder.names.filter { !$0.contains("/") }
    let mapped = mapping.flatMap { try? MappingFile.mapping(at: $0) }
    guard !Self.isRecording(folder, mapped) else { return nil }
    for name in folder.folders {
      guard let inner = try? folder.inner(name, levels: max(RecordingFolder.mostLevels, mapped?.levels ?? 0))
      else {
        others.append(name)
        continue
      }
      if Self.isRecording(inner, mapped) {
        recordings.append(inner.path)
      } else if FolderKind.ofResults(in: inner.path) == nil {
        others.append(name)
      }
    }
    guard !recordings.isEmpty || own.contains(where: { $0.hasSuffix(".h5") }) else { return nil }
    others += own.filter { ["zip", "tar", "tgz", "gz", "r3d"].contains(FileEnding.of($0)) }
  }

  private static func isRecording(_ folder: RecordingFolder, _ mapping: RecordingMapping?) -> Bool {
    if let mapping { return mapping.describes(folder) }
    return (try? Recognition(whereKnown: folder))?.folders.first?.path == folder.path
  }

  /// "12 entries are not read, first notes, old.zip": nil where everything is.
  public var omission: String? {
    guard let first = others.first else { return nil }
    let listed = others.prefix(Self.mostListed).joined(separator: ", ")
    return others.count == 1
      ? "\(first) is of no known format and is not read; give it by itself"
      : "\(others.count) entries are of no known format and are not read: \(listed)\(others.count > Self.mostListed ? ", …" : ""); give them by themselves"
  }

  private static let mostListed = 8
}
