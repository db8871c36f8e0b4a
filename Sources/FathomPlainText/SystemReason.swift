import Foundation

/// Why the system refused something, in a few words.
public enum SystemReason {
  /// The words for an error of Foundation or the C library: "there is no such file or folder".
  public static func words(_ error: any Error) -> String {
    var current = error as NSError
    while let inner = current.userInfo[NSUnderlyingErrorKey] as? NSError { current = inner }
    if current.domain == NSPOSIXErrorDomain { return words(Int32(truncatingIfNeeded: current.code)) }
    guard current.domain == NSCocoaErrorDomain else {
      return "the system says no more than '\(current.domain) \(current.code)'"
    }
    // Foundation hides what the system said behind sentences of its own.
    let number: Int32? =
      switch CocoaError.Code(rawValue: current.code) {
      case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
      case .fileReadNoPermission, .fileWriteNoPermission: EACCES
      case .fileWriteOutOfSpace: ENOSPC
      case .fileWriteVolumeReadOnly: EROFS
      case .fileWriteFileExists: EEXIST
      case .fileReadInvalidFileName, .fileWriteInvalidFileName: ENAMETOOLONG
      case .fileReadTooLarge: EFBIG
      case .executableNotLoadable: ENOEXEC
      default: nil
      }
    if let number { return words(number) }
    return current.code == CocoaError.fileReadInapplicableStringEncoding.rawValue
      ? "it is not UTF-8 text" : "the system gave no reason"
  }

  /// Why a program could not be started.
  public static func words(starting error: any Error) -> String {
    let cause = error as NSError
    // Foundation closes so many files for the new process, whether they are open or not, and fails where fewer are allowed.
    guard cause.domain == NSPOSIXErrorDomain else { return words(error) }
    if cause.code == Int(EAGAIN) { return noProcess }
    guard cause.code == Int(EBADF) else { return words(error) }
    return "fewer than 256 open files are allowed; allow more with 'ulimit -n 256'"
  }

  /// The words for a disk without room.
  public static let diskIsFull = "the disk is full"

  /// The words for a machine without memory.
  public static let memoryIsShort = "memory is short"

  /// The words for a process that something outside ended.
  public static let processWasKilled =
    "the process that reads it was killed by the system (out of memory?)"

  /// The words for a process that does not get on, though it has not used the time that it may take.
  public static let processStalls =
    "the process that reads it makes no progress: the machine or its disk does not answer"

  /// The words for a system that allows no more processes.
  public static let noProcess = "no further process can be started"

  private static let diskFails = "the disk reports an error"
  private static let manyFiles = "too many files are open; raise the limit (ulimit -n)"

  /// With what libpng, libjpeg-turbo and OpenEXR say where memory is short.
  private static let shortages = [
    memoryIsShort, "Out of memory", "Memory allocation failure", "Unable to allocate memory",
    "IDAT: insufficient memory", processWasKilled, processStalls, noProcess, manyFiles,
  ]

  /// Whether words begin or end with a resource that was short, or a process that was killed: another try may succeed.
  public static func isOfShortage(_ words: String) -> Bool {
    shortages.contains { words.hasSuffix($0) || words.hasPrefix($0) }
  }

  /// Whether words begin or end with what the machine failed in, which is not a property of a file.
  public static func isOfMachine(_ words: String) -> Bool {
    isOfShortage(words) || words.hasSuffix(diskFails) || words.hasPrefix(diskFails)
  }

  /// The words for the last failed system call.
  public static func words() -> String { words(errno) }

  /// The words for an error number (errno.h).
  public static func words(_ number: Int32) -> String {
    switch number {
    case ENOENT: "there is no such file or folder"
    case EACCES, EPERM: "you have no permission"
    case EROFS: "the disk is read-only"
    case ENOSPC: diskIsFull
    case EDQUOT: "your quota of the disk is used up"
    case EFBIG: "the file is larger than the system's limit allows"
    case ENAMETOOLONG: "the name is too long"
    case ENOTDIR: "a part of the path is a file, not a folder"
    case EISDIR: "it is a folder"
    case ELOOP: "its links lead in a circle"
    case EMFILE, ENFILE: manyFiles
    case ENOMEM: memoryIsShort
    case EEXIST, ENOTEMPTY: "it exists"
    case EIO: diskFails
    default: String(cString: strerror(number))
    }
  }
}
