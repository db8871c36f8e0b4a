private import CFathomGlibc
private import Glibc
private import FathomPlainText

/// A folder that appears under its name only when it is complete: it grows as `NAME.partial/`, which is locked, is brought to the
/// disk, and is then renamed. A folder that it replaces is there until the new one is.
///
/// Nothing is ever deleted that Fathom did not write: a folder is replaced only if it is of the same kind and holds only what its
/// manifest lists, and a partial folder only if it was marked by a writer that is gone, and holds neither other tools' files nor work of
/// another kind that can be continued.
public struct AtomicFolder: ~Copyable, Sendable {
  /// Where the folder will be.
  public let path: String
  /// Where it is until then.
  public let partial: String
  public let kind: FolderKind
  private let target: String, folder: String, overwrite: Bool, lock: OutputLock
  /// Whether the partial folder is left where it is when this value is dropped.
  private var keepsPartial = false

  /// Creates the partial folder; one left by a process that is gone is replaced.
  /// - Parameter path: Where the folder will be; trailing slashes do not matter, folders above it are made.
  /// - Parameter kind: What it will be; one of another kind is never replaced.
  /// - Parameter adopts: Whether a partial folder left by a process that is gone is resumed.
  /// - Throws: `FathomError` `.cannotCreate` where the folder exists and `overwrite` is false, where it or the partial folder was not
  ///   written by Fathom, where another process is writing it, or where its place does not allow it.
  public init(_ path: String, kind: FolderKind, overwrite: Bool, adopts: Bool = false) throws(FathomError) {
    let place = try OutputPath(path, noun: "folder")
    FolderReplacement.recover(place.path)
    if access(place.path, F_OK) == 0 {
      guard overwrite else {
        throw .cannotCreate(
          place.given, "it exists", "choose another \(option: "output") or add \(option: "overwrite")")
      }
      try Self.require(kind, at: place)
    }
    if access(place.partial, F_OK) == 0 { try Self.requireReplaceable(place, for: kind) }
    let lock = try UnfinishedOutputs.make(place.partial) { () throws(FathomError) in
      try Self.make(place, adopts: adopts)
    }
    self.path = place.given
    self.lock = lock
    (partial, target, folder) = (place.partial, place.path, place.folder)
    (self.kind, self.overwrite) = (kind, overwrite)
  }

  /// - Returns: The lock of its owner.
  private static func make(_ place: OutputPath, adopts: Bool) throws(FathomError) -> OutputLock {
    guard FileTree.makeFolder(place.partial) else {
      let reason = SystemFault.last.words
      throw .cannotCreate(
        place.given, place.fileAbove.map { "'\($0)' is a file, not a folder" } ?? reason,
        "choose another \(option: "output") or check the folder's permissions")
    }
    let lock: OutputLock
    do throws(OutputLock.Refusal) { lock = try OutputLock(place.partial + "/" + OutputLock.fileName) } catch {
      throw switch error {
      case .isHeld, .isForeign:
        .cannotCreate(
          place.given, "another process is writing it", "wait for it or choose another \(option: "output")")
      case .system(let number):
        .cannotCreate(
          place.given, SystemFault(number).words,
          "choose another \(option: "output") or check the folder's permissions")
      }
    }
    if let foreign = ForeignFiles.first(inUnfinished: place.partial) {
      throw Self.foreign(place.given + ".partial/" + foreign)
    }
    if !adopts { FileTree.removeContents(of: place.partial) }
    return lock
  }

  /// Refuses a folder that is not of a kind, unless it is empty.
  private static func require(_ kind: FolderKind, at place: OutputPath) throws(FathomError) {
    let found = FolderKind.kinds(in: place.path)
    // Other programs, too, write a calibration.json; ours names its maker.
    let isOurs = StoredFolder.text(of: place.path + "/" + kind.marker)?.contains("fathom") ?? false
    guard (isOurs && found == [kind]) || FileTree.isEmpty(place.path) else {
      let other = found.first { $0 != kind }
      throw .cannotCreate(
        place.given,
        other.map { "it exists and is a folder of fathom \($0.command), not of fathom \(kind.command)" }
          ?? "it exists and is not a folder that fathom \(kind.command) wrote (no \(kind.marker) of fathom in it)",
        "choose another \(option: "output")")
    }
    if !FileTree.isEmpty(place.path), let foreign = ForeignFiles.first(in: place.path, of: kind) {
      throw Self.foreign(place.given + "/" + foreign)
    }
    guard access(place.path, W_OK | X_OK) == 0 else {
      throw .cannotCreate(
        place.given, "it exists and you may not change it", "choose another \(option: "output")")
    }
  }

  private static func foreign(_ path: String) -> FathomError {
    .cannotCreate(
      path, "fathom did not write it, or it was changed since",
      "move it, or choose another \(option: "output")")
  }

  /// Refuses a partial folder that somebody else made, or that holds work of another kind that can be resumed.
  private static func requireReplaceable(_ place: OutputPath, for kind: FolderKind) throws(FathomError) {
    func holds(_ file: String) -> Bool { access(place.partial + "/" + file, F_OK) == 0 }
    guard holds(OutputLock.fileName) || FileTree.isEmpty(place.partial) else {
      throw .cannotCreate(
        place.given + ".partial", "it exists and is not an unfinished folder of fathom",
        "choose another \(option: "output"), or remove it")
    }
    let other = FolderKind.allCases.first { $0 != kind && ($0.checkpoint.map(holds) ?? false) }
    if let other {
      throw .cannotCreate(
        place.given + ".partial", "it holds unfinished work of fathom \(other.command)",
        "choose another \(option: "output"), or continue with fathom \(other.command) \(flag: "resume")")
    }
  }

  /// Whether a finished folder of a kind is there; what a process that was killed while it gave it the name did not end is ended.
  public static func isFinished(_ path: String, kind: FolderKind) -> Bool {
    if let place = try? OutputPath(path, noun: "folder") { FolderReplacement.recover(place.path) }
    return access(path + "/" + kind.marker, F_OK) == 0
  }

  /// Whether an unfinished folder of this name is there, with a file in it.
  public static func isUnfinished(_ path: String, holding name: String) -> Bool {
    guard let place = try? OutputPath(path, noun: "folder") else { return false }
    return access(place.partial + "/" + name, F_OK) == 0
  }

  /// Writes one file of the folder, "report.md" or "figures/noise.svg".
  /// - Throws: `FathomError` `.inputOutput`.
  public func write(_ text: String, to name: String) throws(FathomError) {
    try write(Array(text.utf8), to: name)
  }

  /// Writes one file of the folder, "gallery/1-fused.jpg".
  /// - Throws: `FathomError` `.inputOutput`.
  public func write(_ bytes: [UInt8], to name: String) throws(FathomError) { try file(name).write(bytes) }

  /// A file of the folder, to be written in pieces.
  /// - Throws: `FathomError` `.inputOutput`.
  public func file(_ name: String) throws(FathomError) -> FileWriter {
    if let slash = name.lastIndex(of: "/"), !FileTree.makeFolder(partial + "/" + name[..<slash]) {
      throw .inputOutput(path + "/" + name, .last, "choose another \(option: "output")")
    }
    return try FileWriter(partial + "/" + name, for: path + "/" + name)
  }

  /// From now on the partial folder stays, whatever happens: it holds work that can be resumed.
  public mutating func keepPartial() {
    keepsPartial = true
    UnfinishedOutputs.keep(partial)
  }

  /// Records every file in the manifest, writes that, brings everything to the disk, and gives the folder its name.
  /// - Parameter manifest: What determines the folder's content, a JSON object; becomes the kind's marker.
  /// - Parameter left: Names of files that are not part of the finished folder: they are taken away when all others are on the disk.
  /// - Throws: `FathomError` `.cannotCreate` where the folder has come to exist and may not be replaced, `.inputOutput`; then
  ///   what was there is there as before.
  public consuming func commit(manifest: String, leavingOut left: Set<String> = []) throws {
    let value = try JSONValue(text: manifest)
    let record = try RecordedFiles(in: partial, manifest: value, named: kind.marker, leavingOut: left)
    try write(try CanonicalJSON.text(record.joined(to: value)) + "\n", to: kind.marker)
    if let failed = DiskSync.finish(partial, leavingOut: left) {
      throw FathomError.inputOutput(failed.path, SystemFault(failed.error), "check the disk")
    }
    UnfinishedOutputs.forget(partial)
    for name in left { unlink(partial + "/" + name) }
    if !left.isEmpty, let failed = DiskSync.folder(partial) {
      throw FathomError.inputOutput(path, SystemFault(failed), "check the disk")
    }
    let (partial, target, replaces) = (self.partial, self.target, overwrite)
    // Somebody may have put something there meanwhile.
    if replaces, access(target, F_OK) == 0, !FileTree.isEmpty(target),
      let foreign = ForeignFiles.first(in: target, of: kind)
    {
      keepsPartial = true
      UnfinishedOutputs.remove(partial)
      throw FathomError.cannotCreate(
        target + "/" + foreign, "fathom did not write it, or it was changed since",
        "move it, and rename \(partial), which is complete")
    }
    if let failed = UnfinishedOutputs.name(partial, { FolderReplacement.rename(partial, target, replaces) }) {
      // The work is done: it is left for the user to rename.
      keepsPartial = true
      let advice = "rename \(partial), which is complete"
      guard failed == EEXIST || failed == ENOTEMPTY else {
        throw FathomError.inputOutput(path, SystemFault(failed), "the former output is unchanged; \(advice)")
      }
      throw FathomError.cannotCreate(path, "it exists by now", advice)
    }
    keepsPartial = true
    let failed = DiskSync.folder(folder)
    // The mark goes last: until here a killed process leaves a folder that the next one knows as Fathom's.
    unlink(target + "/" + OutputLock.fileName)
    if let failed {
      throw FathomError.inputOutput(path, SystemFault(failed), "it is written; check the disk")
    }
  }

  deinit {
    if !keepsPartial {
      FileTree.remove(partial)
      UnfinishedOutputs.remove(partial)
    }
  }
}
