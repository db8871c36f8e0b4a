private import Glibc

/// A regular file at one moment: which one it is, how long, and when it last changed. Two equal values of one path mean
/// that nothing has replaced or touched the file in between.
public struct FileIdentity: Sendable, Hashable {
  /// File system and number of the file on it.
  let device: UInt, inode: UInt
  /// Its length, bytes.
  public let size: Int
  /// Last change of content and of content or attributes, nanoseconds since 1970.
  let modified: Int, changed: Int

  /// Looks at the file without waiting for anything: a pipe would block whoever opens it until somebody writes.
  /// - Throws: `HDF5Error` with `.noSuchFile`, `.noPermission`, or `.notRegular` for a folder, pipe, socket or device.
  public init(ofFile path: String) throws(HDF5Error) {
    try Self.requireRegular(path)
    // What the path leads to may have changed since.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(path) }
    defer { close(descriptor) }
    try self.init(ofDescriptor: descriptor, path)
  }

  /// The file that is open under a descriptor.
  public init(ofDescriptor descriptor: Int32, _ path: String) throws(HDF5Error) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure(path) }
    try Self.requireRegular(status, path)
    (device, inode, size) = (UInt(status.st_dev), UInt(status.st_ino), Int(status.st_size))
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
  }

  /// Whether two values are of one file, whatever happened to it.
  func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }

  private static func nanoseconds(_ time: timespec) -> Int {
    // A clock beyond the year 2262 gives some number, and the same one each time.
    Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
  }

  /// Looks at what is under a path without opening it.
  static func requireRegular(_ path: String) throws(HDF5Error) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(path) }
    try requireRegular(status, path)
  }

  private static func requireRegular(_ status: stat, _ path: String) throws(HDF5Error) {
    let kind: String
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: kind = "folder"
    case S_IFIFO: kind = "pipe"
    case S_IFSOCK: kind = "socket"
    default: kind = "device"
    }
    throw HDF5Error(.notRegular(kind), operation: "open", object: path, "it is a \(kind)")
  }

  private static func failure(_ path: String) -> HDF5Error {
    let reason = String(cString: strerror(errno))
    switch errno {
    case ENOENT, ENOTDIR: return HDF5Error(.noSuchFile, operation: "open", object: path, reason)
    case EACCES, EPERM: return HDF5Error(.noPermission, operation: "open", object: path, reason)
    default: return HDF5Error(operation: "open", object: path, stack: [reason])
    }
  }
}
