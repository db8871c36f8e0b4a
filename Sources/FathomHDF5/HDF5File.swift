internal import CFathomHDF5
private import Glibc
public import FathomStorage

/// An open file. Not Sendable: read where you opened it, pass on the arrays.
///
/// Objects are named by their path from the root, without a leading slash: "scenes/kitchen/lidar/depth".
public struct HDF5File: ~Copyable {
  let handle: Handle
  /// How links are followed; for whatever takes a path inside the file.
  let links: Handle
  let external: ExternalFiles
  /// Groups that paths have led through; nil where the file may be changed.
  let passed: PassedGroups?
  /// The file, as the caller named it.
  public let path: String
  /// The file as it was when it was opened.
  public let identity: FileIdentity

  /// Opens an existing file for reading.
  /// - Parameter location: Where to open it if not under its path: "/proc/self/fd/3" for a file that is open already.
  /// - Parameter external: Where it may lead to other files.
  /// - Throws: `HDF5Error` whose `cause` tells a missing file from one that is not a regular file, is not HDF5, is
  ///   truncated, or has a newer format.
  public init(
    readingFrom path: String, at location: String? = nil, external: ExternalFolders = ExternalFolders()
  ) throws(HDF5Error) {
    try self.init(
      readingFrom: path, at: location, sharing: ExternalFiles(external.places(besides: path)))
  }

  /// A file that another one leads to, too.
  init(
    readingFrom path: String, at location: String? = nil, sharing external: ExternalFiles
  ) throws(HDF5Error) {
    let place = location ?? path, expected = try FileIdentity(ofFile: place)
    let access = try Self.access(on: path)
    let handle = try Handle("H5Fopen", on: path) { [id = access.id] in H5Fopen(place, chdf5_read_only(), id) }
    let identity = try Self.identity(of: handle, path)
    guard identity == expected else {
      throw HDF5Error(.replaced, operation: "H5Fopen", object: path, "it was replaced while it was opened")
    }
    try self.init(handle, path, identity, external, PassedGroups())
  }

  /// Creates a file, or empties an existing one.
  /// - Parameter callerLocks: Whether the caller holds a lock of the file, which HDF5 would fail to get a second time.
  public init(creating path: String, callerLocks: Bool = false) throws(HDF5Error) {
    let access = try Self.access(on: path, locks: !callerLocks)
    let handle = try Handle("H5Fcreate", on: path) { [id = access.id] in
      H5Fcreate(path, chdf5_truncate(), chdf5_default_properties(), id)
    }
    let identity = try Self.identity(of: handle, path)
    try self.init(handle, path, identity, ExternalFiles([]), nil)
  }

  /// Opens an existing file for reading and writing; nothing that leads to another file is followed.
  public init(updating path: String, callerLocks: Bool = false) throws(HDF5Error) {
    _ = try FileIdentity(ofFile: path)
    let access = try Self.access(on: path, locks: !callerLocks)
    let handle = try Handle("H5Fopen", on: path) { [id = access.id] in H5Fopen(path, chdf5_read_write(), id) }
    let identity = try Self.identity(of: handle, path)
    try self.init(handle, path, identity, ExternalFiles([]), nil)
  }

  private init(
    _ handle: consuming Handle, _ path: String, _ identity: FileIdentity, _ external: ExternalFiles,
    _ passed: PassedGroups?
  ) throws(HDF5Error) {
    links = try Self.linkAccess(external, on: path)
    (self.path, self.identity, self.external, self.passed) = (path, identity, external, passed)
    HDF5Library.forgetUnwritten(handle.id)
    self.handle = handle
  }

  /// The other files that this one has led to so far.
  public var externalFiles: [ExternalFile] { external.followed }
  /// Bytes of this file and of the others that it has led to.
  public var byteCount: Int { external.followed.reduce(identity.size) { $0 + $1.identity.size } }

  /// Writes what is buffered and closes. `deinit` cannot throw, so a writer ends with this; any later use is
  /// then a compile error.
  public consuming func close() throws(HDF5Error) {
    let path = self.path
    try HDF5Library.call("H5Fflush", on: path) { [id = handle.id] in H5Fflush(id, H5F_SCOPE_GLOBAL) }
    try HDF5Library.requireWritten(handle.id, path)
    try releaseLock()
    try handle.close("H5Fclose", on: path) { H5Fclose($0) }
  }

  /// "scene.h5:/frames/depth", for errors.
  func label(_ object: String) -> String { "\(path):/\(object)" }

  /// Gives up the file's lock by name. Closing alone would not do while a child process, started meanwhile, has
  /// inherited the descriptor.
  private borrowing func releaseLock() throws(HDF5Error) {
    flock(try Self.descriptor(of: handle, path), LOCK_UN)
  }

  private static func identity(of handle: borrowing Handle, _ path: String) throws(HDF5Error) -> FileIdentity
  { try FileIdentity(ofDescriptor: try descriptor(of: handle, path), path) }

  /// The open file under an HDF5 file.
  private static func descriptor(of handle: borrowing Handle, _ path: String) throws(HDF5Error) -> Int32 {
    var descriptor: UnsafeMutableRawPointer?
    try HDF5Library.call("H5Fget_vfd_handle", on: path) { [id = handle.id] in
      H5Fget_vfd_handle(id, chdf5_default_properties(), &descriptor)
    }
    return descriptor?.load(as: Int32.self) ?? -1
  }

  /// Locks the file where the file system can, and does without where it cannot.
  static func access(on path: String, locks: Bool = true) throws(HDF5Error) -> Handle {
    let access = try Handle("H5Pcreate", on: path) { H5Pcreate(chdf5_file_access()) }
    try HDF5Library
      .call("H5Pset_file_locking", on: path) { [id = access.id] in H5Pset_file_locking(id, locks, true) }
    return access
  }
}
