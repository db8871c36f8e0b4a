private import Glibc
internal import FathomStorage

public struct ExternalFile: Sendable, Hashable {
  /// As the file names it: "parts/depth.h5".
  public let name: String
  public let path: String
  /// As it was when it was first followed.
  public let identity: FileIdentity

  public init(name: String, path: String, identity: FileIdentity) {
    (self.name, self.path, self.identity) = (name, path, identity)
  }
}

/// What a file may lead to beyond itself, and where it has led so far.
final class ExternalFiles {
  /// Folders whose files it may lead to, with those below; none where nothing is followed.
  let folders: [String]
  private(set) var followed: [ExternalFile] = []
  /// Why HDF5 was last kept from following a link. It can be told to stop, but not why.
  var refusal: HDF5Error?
  init(_ folders: [String]) { self.folders = folders }
  /// Whether anything is followed.
  var isFollowed: Bool { !folders.isEmpty }

  /// Finds the file that HDF5 would open under a name, and records it.
  /// - Parameter parent: The file that names it; nil where HDF5 looks in the working folder only.
  /// - Parameter label: The object that names it.
  /// - Throws: `HDF5Error` where it is absent, no regular file, outside of the folders, or no HDF5 where that is required.
  @discardableResult func follow(
    _ name: String, from parent: String?, on label: String, requiresHDF5: Bool
  ) throws(HDF5Error) -> String {
    for path in Self.places(of: name, from: parent) {
      do throws(HDF5Error) { try FileIdentity.requireRegular(path) } catch {
        if error.cause == .noSuchFile { continue }
        guard case .notRegular(let kind) = error.cause else { throw error }
        throw HDF5Error(
          .brokenLink("'\(name)', which is a \(kind) and no file"), operation: "open", object: label,
          error.reason)
      }
      guard ExternalFolders.holds(folders, path) else {
        throw HDF5Error(
          .outside(name, folder: Self.folder(of: ExternalFolders.resolved(path) ?? path)), operation: "open",
          object: label, "it lies outside of the folders that may be read")
      }
      let identity = try FileIdentity(ofFile: path)
      // HDF5 would pass over it and go on to the next place, unseen.
      if requiresHDF5, !Self.beginsAsHDF5(path) {
        throw HDF5Error(
          .brokenLink("'\(name)', which is not an HDF5 file"), operation: "open", object: label,
          "it is not an HDF5 file")
      }
      if !followed.contains(where: { $0.identity.isSameFile(as: identity) }) {
        followed.append(ExternalFile(name: name, path: path, identity: identity))
      }
      return path
    }
    throw HDF5Error(
      .brokenLink("'\(name)', a file that does not exist"), operation: "open", object: label,
      "there is no such file")
  }

  /// In the order in which HDF5 tries them; its environment variables are switched off.
  private static func places(of name: String, from parent: String?) -> [String] {
    guard let parent else { return [name] }
    var places: [String] = [], relative = name
    if name.hasPrefix("/") {
      places.append(name)
      relative = name.split(separator: "/").last.map(String.init) ?? name
    }
    places.append(folder(of: parent) + relative)
    places.append(relative)
    if let resolved = ExternalFolders.resolved(parent) { places.append(folder(of: resolved) + relative) }
    return places
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// HDF5's signature stands at 0, or where a user block ends: 512, 1024, 2048, …
  private static func beginsAsHDF5(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]
    var offset = 0
    while true {
      var found = [UInt8](repeating: 0, count: signature.count)
      guard pread(descriptor, &found, found.count, off_t(offset)) == found.count else { return false }
      if found == signature { return true }
      offset = offset == 0 ? 512 : 2 * offset
    }
  }
}
