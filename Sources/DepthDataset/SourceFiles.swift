internal import FathomHDF5
public import FathomStorage

/// The files that something was read from, as they were before: so that no result is given where the input changed
/// while it was read.
public struct SourceFiles: Sendable, Hashable {
  /// The file or folder, as the caller named it.
  public let path: String
  /// Of the file; nil for a folder.
  let identity: FileIdentity?
  /// Of a folder, the files in it that are read.
  let members: [ExternalFile]
  /// Others that it leads to, in the order in which they were met; none unless that was allowed.
  let external: [ExternalFile]

  /// SHA-256 of the files, 64 lower-case hexadecimal digits each.
  public struct Digests: Sendable, Hashable {
    /// Of the file itself.
    public let sha256: String
    /// Of the others, by the names that the file gives them.
    public let external: [(name: String, sha256: String)]

    /// Of all of them: that of the file where it leads to no other.
    public var whole: String {
      external.isEmpty
        ? sha256 : FileDigest.sha256(of: Array(([sha256] + external.map(\.sha256)).joined().utf8))
    }

    public static func == (a: Self, b: Self) -> Bool { a.whole == b.whole }
    public func hash(into hasher: inout Hasher) { hasher.combine(whole) }
  }

  /// A file by itself.
  /// - Throws: `FathomError` `.noInput` where it does not exist, may not be read, or is not a regular file.
  public init(ofFile path: String) throws(FathomError) {
    try self.init(ofFile: path, attempted: "open the file")
  }

  init(ofFile path: String, attempted: String) throws(FathomError) {
    do throws(HDF5Error) { self.init(path, try FileIdentity(ofFile: path), []) } catch {
      throw FathomError(error, attempted: attempted, file: path)
    }
  }

  init(_ file: borrowing HDF5File) { self.init(file.path, file.identity, file.externalFiles) }

  /// Whether a descriptor is of the file, as it was.
  func isOf(descriptor: Int32) -> Bool {
    do throws(HDF5Error) { return try FileIdentity(ofDescriptor: descriptor, path) == identity } catch {
      return false
    }
  }

  /// The same with other files that it is said to lead to.
  /// - Throws: `FathomError` `.noInput` where one of them does not exist.
  public func leading(to others: [(name: String, path: String)]) throws(FathomError) -> SourceFiles {
    if others.isEmpty { return self }
    var external: [ExternalFile] = []
    for (name, path) in others {
      do throws(HDF5Error) {
        external.append(ExternalFile(name: name, path: path, identity: try FileIdentity(ofFile: path)))
      } catch { throw FathomError(error, attempted: "open the file", file: path) }
    }
    return SourceFiles(path, identity, members: members, external)
  }

  /// A folder's files.
  /// - Parameter files: Names relative to the folder.
  /// - Throws: `FathomError` `.noInput` where one does not exist, may not be read, or is not a regular file.
  public init(ofFolder path: String, files: [String]) throws(FathomError) {
    var members: [ExternalFile] = []
    for name in Set(files).sorted() {
      do throws(HDF5Error) {
        members.append(
          ExternalFile(
            name: name, path: path + "/" + name, identity: try FileIdentity(ofFile: path + "/" + name)))
      } catch { throw FathomError(error, attempted: "open the file", file: path + "/" + name) }
    }
    (self.path, identity, self.members, external) = (path, nil, members, [])
  }

  private init(
    _ path: String, _ identity: FileIdentity?, members: [ExternalFile] = [], _ external: [ExternalFile]
  ) { (self.path, self.identity, self.external, self.members) = (path, identity, external, members) }

  /// Names of the other files that it leads to, as it writes them.
  public var externalNames: [String] { external.map(\.name) }
  /// Number of bytes of the file, or of the folder's files that are read.
  public var byteCount: Int { identity?.size ?? members.reduce(0) { $0 + $1.identity.size } }

  /// - Throws: `FathomError` `.badData` where one of the files has been changed, replaced or removed since.
  public func requireUnchanged() throws(FathomError) {
    let own = identity.map { [(path, path, $0)] } ?? []
    for (path, name, before) in own + (members + external).map({ ($0.path, $0.name, $0.identity) }) {
      var now: FileIdentity?
      do throws(HDF5Error) { now = try FileIdentity(ofFile: path) } catch {}
      guard now != before else { continue }
      throw FathomError(
        .badData, attempted: "use what was read", file: self.path,
        reason: (path == self.path
          ? "the file"
          : members.contains { $0.path == path } ? "'\(name)' in it" : "'\(name)', which it leads to,")
          + (now == nil ? " was removed" : " changed") + " while it was read",
        advice: "run again when nothing writes it")
    }
  }

  /// Reads all of the files.
  /// - Throws: `FathomError` as ``FileDigest/sha256(ofFile:)`` does.
  public func digests() throws(FathomError) -> Digests {
    var others: [(name: String, sha256: String)] = []
    for file in external { others.append((file.name, try FileDigest.sha256(ofFile: file.path))) }
    guard identity != nil else {
      // As `sha256sum` lists files, so that anybody can compute it.
      var list = ""
      for file in members { list += "\(try FileDigest.sha256(ofFile: file.path))  \(file.name)\n" }
      return Digests(sha256: FileDigest.sha256(of: Array(list.utf8)), external: others)
    }
    return Digests(sha256: try FileDigest.sha256(ofFile: path), external: others)
  }
}
