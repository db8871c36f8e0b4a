private import FathomPlainText
private import Glibc

/// A name that an output may have: what would make it fail at the end is refused at the beginning.
struct OutputPath {
  let given: String  // As the user gave it, without trailing slashes.
  let path: String  // Where it is written: the place that a link leads to.
  var partial: String { path + Self.ending }  // Where it grows.
  private static let ending = ".partial"
  private static let longestName = 255  // bytes of a name on every common Linux file system (NAME_MAX)

  /// - Parameter noun: "file" or "folder".
  /// - Throws: `FathomError` `.cannotCreate`.
  init(_ path: String, noun: String) throws(FathomError) {
    var trimmed = path[...]
    while trimmed.count > 1 && trimmed.hasSuffix("/") { trimmed.removeLast() }
    let given = String(trimmed)
    if given == "-" {
      throw .cannotCreate(
        given, "it stands for standard output, which takes no \(noun)", "name a \(noun), or ./-")
    }
    let name = given.split(separator: "/").last.map(String.init) ?? ""
    guard !["", ".", ".."].contains(name) else {
      throw .cannotCreate(given, "it is a place, not a name", "name a \(noun) in it")
    }
    let longest = Self.longestName - Self.ending.utf8.count
    guard name.utf8.count <= longest else {
      throw .cannotCreate(
        "\(given.prefix(40))…", "its name has \(name.utf8.count) bytes, and at most \(longest) are possible",
        "choose a shorter name")
    }
    var status = stat()
    guard lstat(given, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
      (self.given, self.path) = (given, given)
      return
    }
    // A renamed file would replace the link, not what it leads to.
    guard let resolved = realpath(given, nil) else {
      throw .cannotCreate(
        given, errno == ELOOP ? "its links are circular" : "it is a broken link",
        "remove the link or choose another \(option: "output")")
    }
    defer { free(resolved) }
    (self.given, self.path) = (given, String(cString: resolved))
  }

  /// What is a file although the path leads through it; nil where there is none.
  var fileAbove: String? {
    var parent = path[...]
    while let slash = parent.lastIndex(of: "/"), slash != parent.startIndex {
      parent = parent[..<slash]
      var status = stat()
      if stat(String(parent), &status) == 0 {
        return status.st_mode & S_IFMT == S_IFDIR ? nil : String(parent)
      }
    }
    return nil
  }

  /// The folder that it lies in.
  var folder: String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }
}
