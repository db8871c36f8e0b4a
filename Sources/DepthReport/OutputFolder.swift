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
  public let kind: Kind
  public let path: String
  public let reason: String
  public let advice: String

  public init(kind: Kind, path: String, reason: String, advice: String) {
    (self.kind, self.path, self.reason, self.advice) = (kind, path, reason, advice)
  }

  public var description: String { "cannot write \(path): \(reason); \(advice)" }
}

/// A folder that appears under its name only when it is complete: written as `NAME.partial/`, then renamed.
public struct OutputFolder: ~Copyable {
  /// Where the folder will be.
  public let path: String
  private let partial: String
  private let overwrite: Bool
  /// A folder may only be overwritten if it holds this file, so that nothing else is lost.
  private let marker: String
  private var isCommitted = false

  /// Creates the partial folder; one left by a run that was killed is replaced.
  ///
  /// - Parameter marker: A file that every such folder holds: "run.json".
  /// - Throws: `OutputError` where the folder exists and `overwrite` is false, where it exists and is not a
  ///   folder of this kind, or where its parent cannot be written.
  public init(_ path: String, marker: String, overwrite: Bool) throws(OutputError) {
    // A trailing slash would put the partial folder inside.
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    partial = self.path + ".partial"
    self.overwrite = overwrite
    self.marker = marker
    let files = FileManager.default
    if files.fileExists(atPath: self.path) {
      guard overwrite else {
        throw OutputError(
          kind: .cannotCreate, path: self.path, reason: "it exists",
          advice: "choose another --output or add --overwrite")
      }
      let isOurs = files.fileExists(atPath: self.path + "/" + marker)
      guard isOurs || (try? files.contentsOfDirectory(atPath: self.path))?.isEmpty == true else {
        throw OutputError(
          kind: .cannotCreate, path: self.path, reason: "it exists and is not a folder that Fathom wrote",
          advice: "choose another --output")
      }
    }
    do {
      if files.fileExists(atPath: partial) { try files.removeItem(atPath: partial) }
      try files.createDirectory(atPath: partial, withIntermediateDirectories: true)
    } catch {
      throw OutputError(
        kind: .cannotCreate, path: self.path, reason: Self.reason(error),
        advice: "choose another --output or check the folder's permissions")
    }
  }

  /// Writes one file of the folder.
  public func write(_ text: String, to name: String) throws(OutputError) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: partial + "/" + name))
    } catch {
      throw OutputError(
        kind: .inputOutput, path: path + "/" + name, reason: Self.reason(error),
        advice: "free some space or choose another --output; nothing was left behind")
    }
  }

  /// Gives the folder its name.
  public consuming func commit() throws(OutputError) {
    let files = FileManager.default
    let replaced = path + ".replaced"
    do {
      if overwrite && files.fileExists(atPath: path) {
        if files.fileExists(atPath: replaced) { try files.removeItem(atPath: replaced) }
        try files.moveItem(atPath: path, toPath: replaced)
      }
      try files.moveItem(atPath: partial, toPath: path)
      isCommitted = true
      if files.fileExists(atPath: replaced) { try files.removeItem(atPath: replaced) }
    } catch {
      throw OutputError(
        kind: .inputOutput, path: path, reason: Self.reason(error), advice: "check the folder's permissions")
    }
  }

  deinit { if !isCommitted { try? FileManager.default.removeItem(atPath: partial) } }

  /// The system's words without Foundation's wrapping.
  private static func reason(_ error: any Error) -> String {
    var current: NSError? = error as NSError
    while let inner = current?.userInfo[NSUnderlyingErrorKey] as? NSError { current = inner }
    guard let current, current.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(current.code)))
  }
}
