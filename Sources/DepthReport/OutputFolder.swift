import Foundation
import PlainText

/// Why a result could not be written.
public struct OutputError: Error, Sendable, CustomStringConvertible {
  /// Decides the exit code.
  public enum Kind: Sendable {
    /// The place does not allow it.
    case cannotCreate
    /// Writing itself failed.
    case inputOutput
  }
  /// Whose fault it is.
  public let kind: Kind
  /// The file or folder.
  public let path: String
  /// Why.
  public let reason: String
  /// What the user can do.
  public let advice: String

  public init(kind: Kind, path: String, reason: String, advice: String) {
    (self.kind, self.path, self.reason, self.advice) = (kind, path, reason, advice)
  }

  public var description: String { "cannot write \(path): \(reason); \(advice)" }

  /// The system's words without Foundation's wrapping.
  public static func reason(_ error: any Error) -> String {
    SystemReason.words(error)
  }
}

/// A folder that appears under its name only when it is complete: written as `NAME.partial/`, then renamed.
///
/// Nothing is ever deleted that Fathom did not write: a folder is replaced only if it is of the same
/// kind, and a partial folder only if it holds ``ownerFile`` and no work of another kind that can be gone on with.
public struct OutputFolder: ~Copyable {
  /// Where the folder will be.
  public let path: String
  /// Where it is until then.
  public let partial: String
  private let overwrite: Bool
  /// Whether the partial folder is this value's to remove. A failed `init` runs `deinit` too.
  private var ownsPartial = false
  /// Whether the partial folder stays where it is when nothing was committed.
  private var keepsPartial = false

  /// Names the process that writes a partial folder.
  static let ownerFile = ".fathom-writer"

  /// Creates the partial folder; one left by a process that is gone is replaced.
  ///
  /// - Parameters:
  ///   - path: Where the folder will be; trailing slashes do not matter.
  ///   - kind: What it will be; one of another kind is never replaced.
  ///   - adopts: Whether a partial folder left by a process that is gone is gone on with.
  /// - Throws: `OutputError` where the folder exists and `overwrite` is false, where it or the partial folder was not
  ///   written by Fathom, where another process is writing it, or where its parent cannot be written.
  public init(
    _ path: String, kind: FolderKind, overwrite: Bool, adopts: Bool = false
  ) throws(OutputError) {
    var trimmed = path[...]
    while trimmed.count > 1 && trimmed.hasSuffix("/") { trimmed.removeLast() }
    self.path = String(trimmed)
    partial = self.path + ".partial"
    self.overwrite = overwrite
    let files = FileManager.default
    if path == "-" {
      throw OutputError(
        kind: .cannotCreate, path: path, reason: "it stands for standard output, which takes no folder",
        advice: "name a folder, or ./-")
    }
    if files.fileExists(atPath: self.path) {
      guard overwrite else {
        throw OutputError(
          kind: .cannotCreate, path: self.path, reason: "it exists",
          advice: "choose another --output or add --overwrite")
      }
      try Self.require(kind, at: self.path)
    }
    if files.fileExists(atPath: partial) {
      try Self.requireReplaceable(partial, for: kind)
      if let owner = Self.owner(of: partial), kill(owner, 0) == 0 {
        throw OutputError(
          kind: .cannotCreate, path: self.path, reason: "process \(owner) is writing it",
          advice: "wait for it or choose another --output")
      }
    }
    do {
      if files.fileExists(atPath: partial), !adopts { try files.removeItem(atPath: partial) }
      try files.createDirectory(atPath: partial, withIntermediateDirectories: true)
      let owner = "\(ProcessInfo.processInfo.processIdentifier)\n"
      ownsPartial = true
      try Data(owner.utf8).write(to: URL(fileURLWithPath: partial + "/" + Self.ownerFile))
    } catch {
      throw OutputError(
        kind: .cannotCreate, path: self.path,
        reason: Self.fileAbove(self.path).map { "'\($0)' is a file, not a folder" }
          ?? OutputError.reason(error),
        advice: "choose another --output or check the folder's permissions")
    }
  }

  /// What is a file although a folder's path leads through it; nil where there is none.
  private static func fileAbove(_ path: String) -> String? {
    var parent = (path as NSString).deletingLastPathComponent
    var isFolder: ObjCBool = false
    while !parent.isEmpty, parent != "/" {
      if FileManager.default.fileExists(atPath: parent, isDirectory: &isFolder) {
        return isFolder.boolValue ? nil : parent
      }
      parent = (parent as NSString).deletingLastPathComponent
    }
    return nil
  }

  /// Refuses a folder that is not of a kind, unless it is empty.
  private static func require(_ kind: FolderKind, at folder: String) throws(OutputError) {
    let found = FolderKind.kinds(in: folder)
    // Other programs, too, write a calibration.json; ours names its maker.
    let text = FileManager.default.contents(atPath: folder + "/" + kind.marker)
    let isOurs = text.map { String(decoding: $0, as: UTF8.self).contains("fathom") } ?? false
    guard (isOurs && found == [kind]) || isEmpty(folder) else {
      let other = found.first { $0 != kind }
      throw OutputError(
        kind: .cannotCreate, path: folder,
        reason: other.map {
          "it exists and is a folder of fathom \($0.command), not of fathom \(kind.command)"
        }
          ?? "it exists and is not a folder that fathom \(kind.command) wrote (no \(kind.marker) of fathom in it)",
        advice: "choose another --output")
    }
  }

  /// Refuses a partial folder that somebody else made, or that holds work of another kind that can be gone on with.
  private static func requireReplaceable(_ partial: String, for kind: FolderKind) throws(OutputError) {
    let files = FileManager.default
    guard files.fileExists(atPath: partial + "/" + ownerFile) || isEmpty(partial) else {
      throw OutputError(
        kind: .cannotCreate, path: partial, reason: "it exists and is no unfinished folder of fathom",
        advice: "choose another --output")
    }
    let other = FolderKind.allCases.first { other in
      other != kind && (other.checkpoint.map { files.fileExists(atPath: partial + "/" + $0) } ?? false)
    }
    if let other {
      throw OutputError(
        kind: .cannotCreate, path: partial, reason: "it holds unfinished work of fathom \(other.command)",
        advice: "choose another --output, or go on with fathom \(other.command) --resume first")
    }
  }

  private static func isEmpty(_ folder: String) -> Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty == true
  }

  private static func owner(of partial: String) -> Int32? {
    let text = try? String(contentsOfFile: partial + "/" + ownerFile, encoding: .utf8)
    return text.flatMap { Int32($0.filter { !$0.isWhitespace }) }
  }

  /// Writes one file of the folder, "report.md" or "figures/noise.svg".
  public func write(_ text: String, to name: String) throws(OutputError) {
    try write(Array(text.utf8), to: name)
  }

  /// Writes one file of the folder, "gallery/1-fused.jpg".
  public func write(_ bytes: [UInt8], to name: String) throws(OutputError) {
    do {
      let url = URL(fileURLWithPath: partial + "/" + name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url)
    } catch {
      throw OutputError(
        kind: .inputOutput, path: path + "/" + name, reason: OutputError.reason(error),
        advice: "free some space or choose another --output; nothing was left behind")
    }
  }

  /// Whether an unfinished folder of this name is there, with a file in it.
  public static func isUnfinished(_ path: String, holding name: String) -> Bool {
    FileManager.default.fileExists(atPath: path + ".partial/" + name)
  }

  /// From now on the partial folder stays, whatever happens: it holds work that can be gone on with.
  public mutating func keepPartial() { keepsPartial = true }

  /// Gives the folder its name.
  public consuming func commit() throws(OutputError) {
    let files = FileManager.default
    let replaced = "\(path).replaced-\(ProcessInfo.processInfo.processIdentifier)"
    do {
      try files.removeItem(atPath: partial + "/" + Self.ownerFile)
      let replaces = overwrite && files.fileExists(atPath: path)
      if replaces { try files.moveItem(atPath: path, toPath: replaced) }
      try files.moveItem(atPath: partial, toPath: path)
      ownsPartial = false
      if replaces { try files.removeItem(atPath: replaced) }
    } catch {
      throw OutputError(
        kind: .inputOutput, path: path, reason: OutputError.reason(error),
        advice: "check the folder's permissions")
    }
  }

  deinit {
    guard ownsPartial else { return }
    if keepsPartial {
      // Still Fathom's, but nobody's any more.
      try? Data().write(to: URL(fileURLWithPath: partial + "/" + Self.ownerFile))
    } else {
      try? FileManager.default.removeItem(atPath: partial)
    }
  }
}
