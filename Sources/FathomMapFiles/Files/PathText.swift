/// Parts of paths, as texts: nothing is looked up.
package enum PathText {
  package static func last(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  package static func folder(of path: String) -> String {
    guard let cut = path.lastIndex(of: "/") else { return "." }
    return cut == path.startIndex ? "/" : String(path[..<cut])
  }

  /// A file's name below the folder that was named; nil for that itself.
  package static func name(of path: String, below root: String) -> String? {
    if path == root { return nil }
    let folder = root.hasSuffix("/") ? root : root + "/"
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }
}
