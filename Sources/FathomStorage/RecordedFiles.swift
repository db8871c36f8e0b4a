/// What a folder's manifest records of the files beside it, and of itself: their SHA-256.
///
/// Stands under the key `digests` of the manifest: `{"frames.csv": "…", "run.json": "…"}`. The manifest's own digest is that of
/// its canonical text without the key. A folder of version 0.1 has no such key.
struct RecordedFiles {
  static let key = "digests"
  let digests: [String: String]  // Hex digests by file name.

  /// Reads the files of a folder.
  /// - Parameter left: Names of files that will not stay in the folder.
  /// - Throws: `FathomError`; `EncodingError` where the manifest holds what JSON has no form for.
  init(in folder: String, manifest: JSONValue, named marker: String, leavingOut left: Set<String>) throws {
    var digests: [String: String] = [:]
    for file in FileTree.files(below: folder)
    where file != marker && !FolderKind.unrecorded.contains(file) && !left.contains(file) {
      digests[file] = try Digest.sha256(ofFile: folder + "/" + file)
    }
    digests[marker] = try Self.digest(of: manifest)
    self.digests = digests
  }

  /// What a stored manifest records; nil where it is of a version that recorded nothing, or the record is damaged.
  init?(of manifest: JSONValue) {
    guard case .keyed(let entries)? = manifest[Self.key] else { return nil }
    digests = entries.compactMapValues(\.string)
  }

  func joined(to manifest: JSONValue) -> JSONValue {
    precondition(manifest[Self.key] == nil, "a manifest has no key of the record's own")
    var manifest = manifest
    manifest[Self.key] = .keyed(digests.mapValues(JSONValue.text))
    return manifest
  }

  /// Digest of a manifest without its record.
  static func digest(of manifest: JSONValue) throws -> String {
    var bare = manifest
    bare[key] = nil
    return Digest.hexadecimal(Array(try CanonicalJSON.uncoded(bare).utf8))
  }
}
