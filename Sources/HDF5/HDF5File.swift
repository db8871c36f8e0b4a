internal import CHDF5
private import Glibc

/// An open file. Not Sendable: read where you opened it, pass on the arrays.
///
/// Objects are named by their path from the root, without a leading slash: "scenes/kitchen/lidar/depth".
public struct HDF5File: ~Copyable {
  let handle: Handle
  /// The file, as the caller named it.
  public let path: String

  /// Opens an existing file for reading.
  ///
  /// - Throws: `HDF5Error` whose `cause` tells a missing file from one that is not HDF5, is truncated, or has
  ///   a newer format.
  public init(readingFrom path: String) throws(HDF5Error) {
    self.path = path
    let access = try Self.access(on: path)
    handle = try Handle("H5Fopen", on: path) { [id = access.id] in H5Fopen(path, chdf5_read_only(), id) }
  }

  /// Creates a file, or empties an existing one.
  ///
  /// - Parameter callerLocks: Whether the caller holds a lock of the file, which HDF5 would fail to get a second time.
  public init(creating path: String, callerLocks: Bool = false) throws(HDF5Error) {
    self.path = path
    let access = try Self.access(on: path, locks: !callerLocks)
    handle = try Handle("H5Fcreate", on: path) { [id = access.id] in
      H5Fcreate(path, chdf5_truncate(), chdf5_default_properties(), id)
    }
  }

  /// Writes what is buffered and closes. `deinit` cannot throw, so a writer ends with this; any later use is
  /// then a compile error.
  public consuming func close() throws(HDF5Error) {
    let path = self.path
    try HDF5Library.call("H5Fflush", on: path) { [id = handle.id] in H5Fflush(id, H5F_SCOPE_GLOBAL) }
    try releaseLock()
    try handle.close("H5Fclose", on: path) { H5Fclose($0) }
  }

  /// "scene.h5:/frames/depth", for errors.
  func label(_ object: String) -> String { "\(path):/\(object)" }

  /// Gives up the file's lock by name. Closing alone would not do while a child process, started meanwhile, has
  /// inherited the descriptor.
  private borrowing func releaseLock() throws(HDF5Error) {
    var descriptor: UnsafeMutableRawPointer?
    try HDF5Library.call("H5Fget_vfd_handle", on: path) { [id = handle.id] in
      H5Fget_vfd_handle(id, chdf5_default_properties(), &descriptor)
    }
    if let descriptor { flock(descriptor.load(as: Int32.self), LOCK_UN) }
  }

  /// Locks the file where the file system can, and does without where it cannot.
  static func access(on path: String, locks: Bool = true) throws(HDF5Error) -> Handle {
    let access = try Handle("H5Pcreate", on: path) { H5Pcreate(chdf5_file_access()) }
    try HDF5Library.call("H5Pset_file_locking", on: path) { [id = access.id] in
      H5Pset_file_locking(id, locks, true)
    }
    return access
  }
}
