import Foundation

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
    var current: NSError? = error as NSError
    while let inner = current?.userInfo[NSUnderlyingErrorKey] as? NSError { current = inner }
    guard let current, current.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(current.code)))
  }
}

/// A folder that appears under its name only when it is complete: written as `NAME.partial/`, then renamed.
///
/// Nothing is ever deleted that Fathom did not write: a folder is replaced only if it holds the marker of its kind,
/// and a partial folder only if it holds ``ownerFile``.
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
  ///   - marker: A file that every such folder holds: "run.json".
  ///   - adopts: Whether a partial folder left by a process that is gone is gone on with.
  /// - Throws: `OutputError` where the folder exists and `overwrite` is false, where it or the partial folder was not
  ///   written by Fathom, where another process is writing it, or where its parent cannot be written.
  public init(
    _ path: String, marker: String, overwrite: Bool, adopts: Bool = false
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
      try Self.requireOurs(self.path, marker: marker)
    }
    if files.fileExists(atPath: partial) {
      try Self.requireOurs(partial, marker: Self.ownerFile)
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
        kind: .cannotCreate, path: self.path, reason: OutputError.reason(error),
        advice: "choose another --output or check the folder's permissions")
    }
  }

  /// Refuses a folder that does not hold a file, unless it is empty.
  private static func requireOurs(_ folder: String, marker: String) throws(OutputError) {
    let files = FileManager.default
    // Other programs, too, write a calibration.json; ours names its maker.
    let text = files.contents(atPath: folder + "/" + marker).map { String(decoding: $0, as: UTF8.self) }
    let isOurs = text.map { marker == ownerFile || $0.contains("fathom") } ?? false
    guard isOurs || (try? files.contentsOfDirectory(atPath: folder))?.isEmpty == true else {
      throw OutputError(
        kind: .cannotCreate, path: folder,
        reason: "it exists and is not a folder of this kind that Fathom wrote (no \(marker))",
        advice: "choose another --output")
    }
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
