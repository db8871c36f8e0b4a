private import Glibc

/// Where data may lead beyond themselves: a data set by external links, external storage and virtual data sets, a recording by
/// links in its folder. As it begins, nowhere.
public struct ExternalFolders: Sendable, Hashable, Codable {
  /// Whether files beside the data may be read: in the folder that the data lie in, or below.
  public var includesOwn = false
  /// More folders whose files may be read, and those below.
  public var named: [String] = []
  /// Files beside the data, and no others.
  public static let own = ExternalFolders(includesOwn: true)

  public init(includesOwn: Bool = false, named: [String] = []) {
    (self.includesOwn, self.named) = (includesOwn, named)
  }

  /// The folders for data at a path, without links in their own paths; none where nothing is followed.
  /// - Parameter path: A file or folder. Where a link leads to it, the folders of both are its own.
  public func places(besides path: String) -> [String] {
    let own = includesOwn ? [path, Self.resolved(path)].compactMap(\.self).map(Self.parent(of:)) : []
    return Set((own + named).compactMap(Self.resolved)).sorted()
  }

  /// Whether a file lies in one of these places, or below, after following links.
  /// - Parameter places: Without links in their own paths.
  public static func holds(_ places: [String], _ path: String) -> Bool {
    guard let real = resolved(path) else { return false }
    return places.contains { place in
      let rest = real.utf8.dropFirst(place.utf8.count)
      return real.utf8.starts(with: place.utf8)
        && (place == "/" || rest.isEmpty || rest.first == UInt8(ascii: "/"))
    }
  }

  /// A path without links in it; nil where nothing is there.
  public static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// "a" of "a/b" and of "a/b/"; "." of "b". Bytes are compared: to a `Character`, a slash before an accent is none.
  private static func parent(of path: String) -> String {
    let bytes = path.utf8
    let slash = UInt8(ascii: "/")
    guard let end = bytes.lastIndex(where: { $0 != slash }), let cut = bytes[...end].lastIndex(of: slash)
    else { return bytes.first == slash ? "/" : "." }
    return cut == bytes.startIndex ? "/" : String(path[..<cut])
  }
}
