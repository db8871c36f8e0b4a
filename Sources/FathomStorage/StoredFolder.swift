private import Foundation
private import FathomPlainText

/// A finished folder that Fathom wrote: the one reader of them, with one policy.
///
/// What the manifest records is compared with what is there whenever a file is read: a folder whose files were changed, cut
/// or lost is refused, whatever is to be made of it. A folder of version 0.1, which recorded nothing, is read as it is.
public struct StoredFolder: Sendable {
  /// The folder, as it was given, without trailing slashes.
  public let path: String
  /// Its own name: "demo".
  public let name: String
  public let kind: FolderKind
  /// The kind's marker, without the record of files.
  public let manifest: JSONValue
  /// Version of Fathom that wrote it.
  public let version: String
  /// nil where the folder is of a version that recorded nothing.
  private let recorded: RecordedFiles?
  private let attempted: String  // What errors say was attempted.

  /// Reads the manifest.
  /// - Parameter kinds: What the folder may be.
  /// - Parameter attempted: An infinitive for errors: "read the run".
  /// - Throws: `FathomError` `.noInput` where there is no such folder or it is not finished; `.badData` where it is something
  ///   else, or its manifest is damaged.
  public init(
    _ path: String, kinds: [FolderKind] = FolderKind.allCases, attempted: String = "read"
  ) throws(FathomError) {
    var trimmed = path[...]
    while trimmed.count > 1 && trimmed.hasSuffix("/") { trimmed.removeLast() }
    self.path = String(trimmed)
    self.attempted = attempted
    name = URL(fileURLWithPath: self.path).standardizedFileURL.lastPathComponent
    let folder = self.path
    func refusal(_ kind: FathomError.Kind, _ reason: String, _ advice: String) -> FathomError {
      FathomError(kind, attempted: attempted, place: folder, reason: reason, advice: advice)
    }
    let writers = "give a folder that \(Self.list(kinds.map { "fathom " + $0.command })) wrote"
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
      guard access(folder + ".partial", F_OK) == 0 else {
        throw refusal(.noInput, "there is no such folder", "check the path; \(writers)")
      }
      throw refusal(.noInput, "it is not finished", "wait for it, or make it again")
    }
    guard isFolder.boolValue else { throw refusal(.badData, "it is a file", writers) }
    guard let kind = FolderKind.kinds(in: folder).first else {
      let markers = Self.list(kinds.map(\.marker))
      throw refusal(.badData, "it has no \(markers)", writers)
    }
    guard kinds.contains(kind) else {
      throw refusal(.badData, "it is a folder of fathom \(kind.command)", writers)
    }
    self.kind = kind
    let file = folder + "/" + kind.marker
    func damaged(_ reason: String) -> FathomError {
      FathomError(.badData, attempted: attempted, place: file, reason: reason, advice: Self.remedy(kind))
    }
    guard let text = Self.text(of: file), let document = try? JSONValue(text: text) else {
      throw damaged("it is not JSON")
    }
    guard case .text(let tool)? = document["tool"], tool.hasPrefix("fathom") else {
      throw refusal(.badData, "fathom \(kind.command) did not write it", writers)
    }
    guard let written = document["version"]?.string else {
      throw damaged("it does not say which version wrote it")
    }
    version = written
    recorded = RecordedFiles(of: document)
    if let expected = recorded?.digests[kind.marker], (try? RecordedFiles.digest(of: document)) != expected {
      throw damaged("it was changed after it was written")
    }
    var bare = document
    bare[RecordedFiles.key] = nil
    manifest = bare
  }

  /// "evaluate, tune or compare"
  private static func list(_ words: [String]) -> String {
    words.count < 2
      ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
  }

  /// How to repair a folder that lost or broke a file.
  private static func remedy(_ kind: FolderKind) -> String { "\(kind.command) again, or restore the file" }

  /// The text of a small file; nil where it cannot be read or is not UTF-8.
  static func text(of file: String) -> String? {
    guard case .success(let bytes) = contents(of: file) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Larger files are not read: of JSON, and of tables and pictures. What we write stays far below.
  private static let mostBytes = (json: 1 << 28, other: 1 << 31)

  private enum Unreadable: Error {
    case absent
    case refused(String)  // "it is not a regular file"
  }

  /// The bytes of an ordinary file. Nothing waits for the writer of a pipe, and no file takes all memory.
  private static func contents(of file: String) -> Result<[UInt8], Unreadable> {
    let descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return .failure(.absent) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .failure(.refused("it is not a regular file"))
    }
    let (size, most) = (Int(status.st_size), file.hasSuffix(".json") ? mostBytes.json : mostBytes.other)
    guard size <= most else { return .failure(.refused("it has more than \(most >> 20) MiB")) }
    var problem: Unreadable?
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, count in
      while count < size {
        let step = read(descriptor, room.baseAddress.map { $0 + count }, size - count)
        if step < 0 && errno == EINTR { continue }
        if step < 0 { problem = .refused(SystemFault.last.words) }
        guard step > 0 else { return }
        count += step
      }
    }
    return problem.map { .failure($0) } ?? .success(bytes)
  }

  /// A file of the folder is not as it should be.
  public func damaged(_ file: String, _ reason: String) -> FathomError {
    FathomError(
      .badData, attempted: attempted, place: path + "/" + file, reason: reason, advice: Self.remedy(kind))
  }

  public func has(_ file: String) -> Bool { access(path + "/" + file, F_OK) == 0 }

  /// Names of the files directly in the folder, sorted.
  public var fileNames: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// The bytes of a file.
  /// - Throws: `FathomError` `.badData` where it is not there, lies outside of the folder, is not an ordinary file, is very large, or
  ///   was changed after it was written.
  public func bytes(of file: String) throws(FathomError) -> [UInt8] {
    guard !file.hasPrefix("/"), !file.split(separator: "/").contains("..") else { throw lost(file) }
    let expected = file == kind.marker ? nil : recorded?.digests[file]
    // What the manifest knows by its bytes may be a link into a store; anything else might be a file that its reader meant to keep.
    guard expected != nil || isInside(file) else {
      throw damaged(file, "it is a link that leads out of the folder")
    }
    let bytes: [UInt8]
    switch Self.contents(of: path + "/" + file) {
    case .success(let found): bytes = found
    case .failure(.absent): throw lost(file)
    case .failure(.refused(let reason)): throw damaged(file, reason)
    }
    if let expected, Digest.hexadecimal(bytes) != expected {
      throw damaged(file, "it was changed after it was written")
    }
    return bytes
  }

  /// Whether a file, once its links are followed, lies below the folder; also where there is none.
  private func isInside(_ file: String) -> Bool {
    guard let own = ExternalFolders.resolved(path) else { return false }
    return ExternalFolders.resolved(path + "/" + file)?.hasPrefix(own + "/") ?? true
  }

  /// The same as text.
  /// - Throws: `FathomError` `.badData`, also where it is not UTF-8.
  public func text(of file: String) throws(FathomError) -> String {
    guard let text = String(validating: try bytes(of: file), as: UTF8.self) else {
      throw damaged(file, "it is not UTF-8 text")
    }
    return text
  }

  private func lost(_ file: String) -> FathomError {
    damaged(file, "it is not there, and the \(kind.noun) is incomplete without it")
  }

  /// Tables that were written and are gone, as is allowed of ``FolderKind/dispensable`` ones.
  public var missingTables: [String] {
    (recorded?.digests.keys.sorted() ?? []).filter { FolderKind.dispensable.contains($0) && !has($0) }
  }

  /// Compares every file with what the manifest records.
  /// - Throws: `FathomError` `.badData` for the first that was changed or lost.
  public func verify() throws(FathomError) {
    for file in recorded?.digests.keys.sorted() ?? [] where file != kind.marker {
      var status = stat()
      guard !file.hasPrefix("/"), !file.split(separator: "/").contains(".."),
        stat(path + "/" + file, &status) == 0
      else {
        if FolderKind.dispensable.contains(file) { continue }
        throw lost(file)
      }
      guard status.st_mode & S_IFMT == S_IFREG,
        try Digest.sha256(ofFile: path + "/" + file) == recorded?.digests[file]
      else { throw damaged(file, "it was changed after it was written") }
    }
  }
}
