import Foundation

/// Why the system refused something: an error number, or a condition that has none. Its words are for people; what follows from it is
/// decided by the case.
public enum SystemFault: Error, Sendable, Hashable, Codable {
  /// An error number (errno.h).
  case number(Int32)
  /// No further process can be started.
  case noProcess
  /// Fewer files may be open than the start of a program closes.
  case fewOpenFiles
  /// Something outside ended the process that reads.
  case processWasKilled
  /// The process that reads does not get on, though it has not used the time that it may take.
  case processStalls
  /// What the system says where it gives no number.
  case other(words: String)
  public init(_ number: Int32) { self = .number(number) }

  /// Of an error of Foundation or the C library.
  public init(_ error: any Error) {
    var current = error as NSError
    while let inner = current.userInfo[NSUnderlyingErrorKey] as? NSError { current = inner }
    if current.domain == NSPOSIXErrorDomain {
      self = .number(Int32(truncatingIfNeeded: current.code))
      return
    }
    guard current.domain == NSCocoaErrorDomain else {
      self = .other(words: "the system says no more than '\(current.domain) \(current.code)'")
      return
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
    self =
      number.map { .number($0) }
      ?? .other(
        words: current.code == CocoaError.fileReadInapplicableStringEncoding.rawValue
          ? "it is not UTF-8 text" : "the system gave no reason")
  }

  /// Why a program could not be started.
  public init(starting error: any Error) {
    let cause = error as NSError
    // Foundation closes so many files for the new process, whether they are open or not, and fails where fewer are allowed.
    switch (cause.domain, Int32(truncatingIfNeeded: cause.code)) {
    case (NSPOSIXErrorDomain, EAGAIN): self = .noProcess
    case (NSPOSIXErrorDomain, EBADF): self = .fewOpenFiles
    default: self.init(error)
    }
  }

  /// Of the system call that failed last.
  public static var last: SystemFault { .number(errno) }
  /// A machine without memory.
  public static let memoryIsShort = SystemFault.number(ENOMEM)

  /// Whether a resource was short, or a process was killed: another try may succeed.
  public var isOfShortage: Bool {
    switch self {
    case .number(let number): [ENOMEM, EMFILE, ENFILE].contains(number)
    case .noProcess, .processWasKilled, .processStalls: true
    case .fewOpenFiles, .other: false
    }
  }

  /// Whether the machine failed, which is not a property of a file.
  public var isOfMachine: Bool { isOfShortage || self == .number(EIO) }

  /// "there is no such file or folder": a part of one line, without a final full stop.
  public var words: String {
    switch self {
    case .number(let number): Self.words(number)
    case .noProcess: "no further process can be started"
    case .fewOpenFiles: "fewer than 256 open files are allowed; allow more with 'ulimit -n 256'"
    case .processWasKilled: "the process that reads it was killed by the system (out of memory?)"
    case .processStalls:
      "the process that reads it makes no progress: the machine or its disk does not answer"
    case .other(let words): words
    }
  }

  private static func words(_ number: Int32) -> String {
    switch number {
    case ENOENT: "there is no such file or folder"
    case EACCES, EPERM: "you have no permission"
    case EROFS: "the disk is read-only"
    case ENOSPC: "the disk is full"
    case EDQUOT: "your quota of the disk is used up"
    case EFBIG: "the file is larger than the system's limit allows"
    case ENAMETOOLONG: "the name is too long"
    case ENOTDIR: "a part of the path is a file, not a folder"
    case EISDIR: "it is a folder"
    case ELOOP: "its links are circular"
    case EMFILE, ENFILE: "too many files are open; raise the limit (ulimit -n)"
    case ENOMEM: "memory is short"
    case EEXIST, ENOTEMPTY: "it exists"
    case EIO: "the disk reports an error"
    default: String(cString: strerror(number))
    }
  }
}
