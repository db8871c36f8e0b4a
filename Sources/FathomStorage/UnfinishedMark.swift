internal import Glibc

/// Tells a file that Fathom did not finish from one that is somebody else's: it is created with the sticky bit, which Linux ignores on
/// files and other tools do not set, and loses it when it is complete.
///
/// A file system without modes keeps no such bit. What a killed process leaves there is taken for somebody else's, and stays.
enum UnfinishedMark {
  static let mode: mode_t = S_ISVTX | 0o666  // The mode that a file is created with.

  /// Whether a file is there that Fathom did not finish.
  static func isOn(_ status: stat) -> Bool {
    status.st_mode & S_IFMT == S_IFREG && status.st_mode & S_ISVTX != 0
  }

  /// Takes the mark away.
  /// - Returns: nil, or the system's error.
  static func remove(_ descriptor: Int32) -> Int32? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return errno }
    guard isOn(status) else { return nil }
    return fchmod(descriptor, status.st_mode & 0o777) == 0 ? nil : errno
  }
}
