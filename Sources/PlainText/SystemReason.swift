import Foundation

/// Why the system refused something, in a few words.
public enum SystemReason {
  /// The words for an error of Foundation or the C library: "No such file or directory".
  public static func words(_ error: any Error) -> String {
    var current = error as NSError
    while let inner = current.userInfo[NSUnderlyingErrorKey] as? NSError { current = inner }
    if current.domain == NSPOSIXErrorDomain { return words(number: Int32(truncatingIfNeeded: current.code)) }
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
    if let number { return words(number: number) }
    return current.code == CocoaError.fileReadInapplicableStringEncoding.rawValue
      ? "it is not UTF-8 text" : "the system gave no reason"
  }

  /// Why a program could not be started.
  public static func words(starting error: any Error) -> String {
    let cause = error as NSError
    // Foundation closes so many files for the new process, whether they are open or not, and fails where fewer are allowed.
    guard cause.domain == NSPOSIXErrorDomain, cause.code == Int(EBADF) else { return words(error) }
    return "fewer than 256 open files are allowed; allow more with 'ulimit -n 256'"
  }

  /// The words for a number of `errno`.
  public static func words(number: Int32) -> String { String(cString: strerror(number)) }
}
