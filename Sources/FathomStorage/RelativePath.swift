import Foundation

/// Paths relative to a folder: they name no folder above the one that both places share.
public enum RelativePath {
  /// - Parameter path: A file or folder.
  /// - Parameter folder: What the path is relative to; nil for the folder of the process.
  /// - Returns: A path that a command takes as one: it never begins with a hyphen.
  public static func to(_ path: String, from folder: String? = nil) -> String {
    let from = folder ?? FileManager.default.currentDirectoryPath
    let start = ExternalFolders.resolved(from)?.split(separator: "/") ?? components(from)
    let target = components(path)
    let shared = zip(start, target).prefix { $0 == $1 }.count
    let words = start.dropFirst(shared).map { _ in ".." } + target.dropFirst(shared).map(String.init)
    let joined = words.joined(separator: "/")
    return joined.isEmpty ? "." : joined.hasPrefix("-") ? "./" + joined : joined
  }

  /// Links to folders are followed, because ".." leads out of the folder that a link points to. The last name stays: it may be a link
  /// itself, or not there yet.
  private static func components(_ path: String) -> [Substring] {
    let names = path.split(separator: "/")
    guard let last = names.last, last != ".", last != ".." else { return place(path) }
    let above = names.dropLast().joined(separator: "/")
    return place(path.hasPrefix("/") ? "/" + above : above.isEmpty ? "." : above) + [last]
  }

  private static func place(_ folder: String) -> [Substring] {
    (ExternalFolders.resolved(folder) ?? URL(fileURLWithPath: folder).standardizedFileURL.path).split(
      separator: "/")
  }
}
