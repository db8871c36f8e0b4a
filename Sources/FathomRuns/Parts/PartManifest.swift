import FathomTables
import FathomPlainText
import Foundation
package import FathomStorage

/// What a part of a search or a calibration says of itself: `tune-shard.json`, `calibrate-shard.json`.
package struct PartManifest: Codable, Sendable {
  private var tool = "fathom"
  private let version: String
  package let part: ScenePart
  /// What was typed behind the command's name, and in which folder: the merge does the rest of that command.
  package let words: [String]
  package let folder: String
  /// Everything that determines what is found in a scene, but for the data themselves.
  package let task: String
  /// Digest of the data that each scene of the part lies in, by its number.
  package let data: [Int: String]

  package init(_ part: ScenePart, words: [String], folder: String, task: String, data: [Int: String]) {
    version = Version.current
    (self.part, self.words, self.folder, self.task, self.data) = (part, words, folder, task, data)
  }

  package var json: String { get throws { try CanonicalJSON.text(self) + "\n" } }
}

/// All parts of one search or one calibration, each once.
package struct PartSet {
  package struct Part {
    package let folder: StoredFolder
    package let manifest: PartManifest
    fileprivate let scenes: SceneCheckpoint
  }

  package let kind: FolderKind
  private let parts: [Part]

  /// The words of the command, those of one of the parts.
  package var words: [String] { parts[0].manifest.words }
  /// The folder that it was called in.
  package var folder: String { parts[0].manifest.folder }

  /// - Parameter paths: Folders of all parts, in any order; at least one.
  /// - Throws: `FathomError` where a part is missing, given twice, damaged, or of something else.
  package init(_ paths: [String], kind: FolderKind) throws(FathomError) {
    self.kind = kind
    var parts: [Part] = []
    for path in paths { parts.append(try Self.part(path, kind)) }
    guard let first = parts.first else {
      throw FathomError(
        .usage, attempted: "merge", place: "no shard", reason: "none is given", advice: "name their folders")
    }
    let count = first.manifest.part.count
    for part in parts.dropFirst() {
      if part.manifest.task != first.manifest.task {
        throw Self.refusal(
          part, "it has other options or another list of inputs than \(first.folder.path)",
          "merge the shards of one command")
      }
      if part.manifest.part.count != count {
        throw Self.refusal(
          part,
          "it is one of \(part.manifest.part.count) shards, and \(first.folder.path) is one of \(count)",
          "merge the shards of one division")
      }
    }
    for number in 1...count {
      let same = parts.filter { $0.manifest.part.number == number }
      if same.count > 1 {
        throw Self.refusal(
          same[1], "it is shard \(number) of \(count), and so is \(same[0].folder.path)",
          "give each shard once")
      }
      guard same.isEmpty else { continue }
      throw FathomError(
        .badData, attempted: "merge", place: first.folder.path,
        reason: "shard \(number)/\(count) is missing",
        advice: "make it with \(option: "shard") \(number)/\(count) and give its folder, too")
    }
    self.parts = parts
  }

  /// What a finished part says of itself.
  package static func manifest(of path: String, _ kind: FolderKind) throws(FathomError) -> PartManifest {
    try part(path, kind).manifest
  }

  private static func part(_ path: String, _ kind: FolderKind) throws(FathomError) -> Part {
    let folder = try StoredFolder(path, kinds: [kind], attempted: "merge")
    try folder.verify()
    guard folder.version == Version.current else {
      throw FathomError(
        .badData, attempted: "merge", place: folder.path,
        reason: "fathom \(folder.version) wrote it, and this is \(Version.current)",
        advice: "merge with that version, or make the shard again with this one")
    }
    guard let manifest: PartManifest = try? CanonicalJSON.value(from: CanonicalJSON.text(folder.manifest))
    else {
      throw folder.damaged(kind.marker, "it is not what it should be")
    }
    return Part(folder: folder, manifest: manifest, scenes: SceneCheckpoint(folder))
  }

  private static func refusal(_ part: Part, _ reason: String, _ advice: String) -> FathomError {
    FathomError(.badData, attempted: "merge", place: part.folder.path, reason: reason, advice: advice)
  }

  /// - Throws: `FathomError` where the command, done again, is another one than that of the parts.
  func requireTask(_ task: String) throws(FathomError) {
    guard parts[0].manifest.task != task else { return }
    throw Self.refusal(
      parts[0], "the data or the files of options are no longer those that it was made with",
      "restore them, or make the shards again")
  }

  /// What a part found in a scene, and the digest of the data that it lies in; nil where no part looked at it.
  func found(_ number: Int) throws(FathomError) -> (data: Data, digest: String)? {
    for part in parts {
      guard let digest = part.manifest.data[number], let data = try part.scenes.data(number) else { continue }
      return (data, digest)
    }
    return nil
  }

  /// A scene's file has other bytes than those that its part read.
  func changed(_ file: String) -> FathomError {
    FathomError(
      .badData, attempted: "merge", place: file,
      reason: "its bytes are no longer those that a shard was made of",
      advice: "restore it, or make the shards again")
  }
}
