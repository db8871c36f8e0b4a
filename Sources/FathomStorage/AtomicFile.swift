private import CFathomGlibc
private import Glibc
private import FathomPlainText

/// A file that appears under its name only when it is complete: it grows as `NAME.partial`, which is locked, is brought to the disk,
/// and is then renamed. Dropped before that, it leaves nothing behind and the former file as it was. A file of that name that Fathom
/// did not begin is not touched.
public struct AtomicFile: ~Copyable {
  /// The file to be, as the caller named it.
  public let path: String
  /// Where it is until then.
  public let partial: String
  private let target: String, folder: String, overwrite: Bool, isInUnfinishedFolder: Bool
  private let lock: OutputLock
  private var isFinished = false

  /// Creates the partial file, empty; one that a process left behind is replaced.
  /// - Throws: `FathomError` `.cannotCreate` as ``check(_:overwrite:)`` says, or where another process is writing the file.
  public init(_ path: String, overwrite: Bool) throws(FathomError) {
    try self.init(path, overwrite: overwrite, isInUnfinishedFolder: false)
  }

  /// A file in the partial folder of an ``AtomicFolder``; one of its name is replaced.
  /// - Throws: As ``init(_:overwrite:)``.
  public init(inUnfinishedFolder path: String) throws(FathomError) {
    try self.init(path, overwrite: true, isInUnfinishedFolder: true)
  }

  private init(_ path: String, overwrite: Bool, isInUnfinishedFolder: Bool) throws(FathomError) {
    let place = try Self.place(path, overwrite: overwrite)
    let lock = try UnfinishedOutputs.make(place.partial) { () throws(FathomError) in try Self.make(place) }
    self.path = place.given
    (partial, target, folder) = (place.partial, place.path, place.folder)
    (self.overwrite, self.isInUnfinishedFolder) = (overwrite, isInUnfinishedFolder)
    self.lock = lock
  }

  private static func make(_ place: OutputPath) throws(FathomError) -> OutputLock {
    let lock: OutputLock
    do throws(OutputLock.Refusal) { lock = try OutputLock(place.partial, isMarked: true) } catch {
      throw refusal(error, place)
    }
    // Emptied only now that it is ours, or a running writer would lose what it wrote.
    guard ftruncate(lock.descriptor, 0) == 0 else {
      let reason = SystemFault.last.words
      unlink(place.partial)
      throw .cannotCreate(place.given, reason, "choose another \(option: "output")")
    }
    return lock
  }

  /// Whether the file may be created; creates nothing.
  /// - Throws: `FathomError` `.cannotCreate` where the file exists and `overwrite` is false, where it is a folder, a device or a
  ///   link that leads nowhere, where its name is too long, where its folder does not exist or cannot be written, or where `NAME.partial`
  ///   is somebody else's.
  public static func check(_ path: String, overwrite: Bool) throws(FathomError) {
    let place = try place(path, overwrite: overwrite)
    var status = stat()
    guard lstat(place.partial, &status) == 0 else { return }
    // Asks for the lock and gives it back.
    do throws(OutputLock.Refusal) { _ = try OutputLock(place.partial, isMarked: true).descriptor } catch {
      throw refusal(error, place)
    }
  }

  private static func place(_ path: String, overwrite: Bool) throws(FathomError) -> OutputPath {
    let place = try OutputPath(path, noun: "file")
    var status = stat()
    if stat(place.path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR {
        throw .cannotCreate(path, "it is a folder", "name a file in it")
      }
      // A device would be replaced by a file.
      if status.st_mode & S_IFMT != S_IFREG {
        throw .cannotCreate(path, "it is not a regular file", "choose another \(option: "output")")
      }
      if !overwrite {
        throw .cannotCreate(path, "it exists", "choose another name or add \(option: "overwrite")")
      }
    }
    guard stat(place.folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw .cannotCreate(path, "there is no folder '\(place.folder)'", "create the folder first")
    }
    guard access(place.folder, W_OK | X_OK) == 0 else {
      throw .cannotCreate(path, "the folder '\(place.folder)' is not writable", "choose a folder that is")
    }
    return place
  }

  private static func refusal(_ refusal: OutputLock.Refusal, _ place: OutputPath) -> FathomError {
    switch refusal {
    case .isHeld:
      .cannotCreate(place.given, "another process is writing it", "wait for it, or choose another name")
    case .isForeign:
      .cannotCreate(
        place.given, "'\(place.partial)' exists and fathom did not write it",
        "rename that file or choose another name")
    case .system(let number):
      .cannotCreate(place.given, SystemFault(number).words, "choose another name or check the folder")
    }
  }

  /// Adds bytes to the end.
  /// - Throws: `FathomError` `.inputOutput`.
  public func write(_ bytes: [UInt8]) throws(FathomError) {
    try FileWriter.write(bytes, to: lock.descriptor, for: path)
  }

  /// Brings the file to the disk and gives it its name.
  /// - Throws: `FathomError` `.cannotCreate` where the file has come to exist and may not be replaced, `.inputOutput`.
  public consuming func commit() throws(FathomError) {
    if let number = DiskSync.file(lock.descriptor) {
      throw .inputOutput(path, SystemFault(number), "check the disk")
    }
    let failed = UnfinishedOutputs.name(partial) { () -> Int32? in
      if overwrite { return rename(partial, target) == 0 ? nil : errno }
      if fathom_rename_new(partial, target) == 0 { return nil }
      // Some file systems cannot rename with a condition: a link fails where the name is taken, too.
      guard errno == EINVAL || errno == ENOSYS else { return errno }
      guard link(partial, target) == 0 else { return errno }
      unlink(partial)
      return nil
    }
    guard let failed else {
      isFinished = true
      // Only now: killed before, it would leave a file that is not known as Fathom's.
      let marked = isInUnfinishedFolder ? nil : UnfinishedMark.remove(lock.descriptor)
      if let number = marked ?? DiskSync.folder(folder) {
        throw .inputOutput(path, SystemFault(number), "it is written; check the disk")
      }
      return
    }
    if failed == EEXIST {
      throw .cannotCreate(path, "it exists by now", "choose another name or add \(option: "overwrite")")
    }
    throw .inputOutput(path, SystemFault(failed), "check the disk")
  }

  deinit {
    if !isFinished {
      unlink(partial)
      UnfinishedOutputs.remove(partial)
    }
  }
}
