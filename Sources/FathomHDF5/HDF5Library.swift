internal import CFathomHDF5
private import Glibc
private import Synchronization

/// The one door to the C library. A call that went past it, however harmless, would set the library up in another way.
package enum HDF5Library {
  private struct State {
    /// Whether the library was set up.
    var isReady = false
    /// Open files, by their descriptors, that a data set could not be written to when it was closed; and why.
    var unwritten: [Int32: [String]] = [:]
    var machineError: Int32?
  }

  /// Debian's HDF5 locks by itself; other builds do not.
  private static let lock = Mutex(State())

  /// Runs one C call under the process-wide lock and turns a negative result into an error.
  ///
  /// The closure holds the C call only, so no Swift `deinit` can run (and deadlock) inside the lock.
  @discardableResult static func call<R: BinaryInteger & Sendable>(
    _ operation: String, on object: String, _ body: () -> R
  ) throws(HDF5Error) -> R {
    try lock.withLock { state throws(HDF5Error) in
      prepare(&state.isReady)
      let result = body()
      if result < 0 {
        let stack = errorStack()
        state.machineError = machineError(in: stack) ?? state.machineError
        throw HDF5Error(operation: operation, object: object, stack: stack)
      }
      return result
    }
  }

  /// What the system said last where not the file but its disk failed (errno.h); nil where it never did. Errors of the library hide it
  /// behind words about the file.
  package static var machineError: Int32? { lock.withLock { $0.machineError } }

  /// "…: file read failed: …, errno = 5, error message = 'Input/output error', …"
  private static func machineError(in stack: [String]) -> Int32? {
    let numbers = HDF5Error.systemNumbers(in: stack)
    return [EIO, ESTALE, ETIMEDOUT].first(where: numbers.contains)
  }

  /// Releases one identifier of any sort. HDF5 writes small data sets only when they are closed: where that fails it is remembered, for
  /// writers end with `HDF5File.close()`, which asks.
  static func close(_ id: hid_t) {
    lock.withLock { state in
      prepare(&state.isReady)
      let file = H5Iget_type(id) == H5I_DATASET ? descriptor(underObject: id) : nil
      if H5Idec_ref(id) < 0, let file { state.unwritten[file] = errorStack() }
    }
  }

  /// - Throws: `HDF5Error` where a data set of the file could not be written when it was closed.
  static func requireWritten(_ file: hid_t, _ path: String) throws(HDF5Error) {
    try lock.withLock { state throws(HDF5Error) in
      prepare(&state.isReady)
      guard let file = descriptor(underObject: file), let stack = state.unwritten.removeValue(forKey: file)
      else { return }
      throw HDF5Error(operation: "H5Dclose", object: path, stack: stack)
    }
  }

  /// A file was opened: what is known of one that had its descriptor before is of no use.
  static func forgetUnwritten(_ file: hid_t) {
    lock.withLock { state in
      prepare(&state.isReady)
      if let file = descriptor(underObject: file) { state.unwritten[file] = nil }
    }
  }

  /// The descriptor of the open file that an object lies in.
  private static func descriptor(underObject id: hid_t) -> Int32? {
    let file = H5Iget_file_id(id)
    guard file >= 0 else { return nil }
    defer { H5Idec_ref(file) }
    var descriptor: UnsafeMutableRawPointer?
    guard H5Fget_vfd_handle(file, chdf5_default_properties(), &descriptor) >= 0 else { return nil }
    return descriptor?.load(as: Int32.self)
  }

  /// Variables of the environment that would send HDF5 to other folders, drivers or plugins.
  private static let ignoredVariables = [
    "HDF5_EXT_PREFIX", "HDF5_EXTFILE_PREFIX", "HDF5_VDS_PREFIX", "HDF5_PLUGIN_PATH", "HDF5_PLUGIN_PRELOAD",
    "HDF5_DRIVER", "HDF5_DRIVER_CONFIG", "HDF5_VOL_CONNECTOR",
  ]

  private static func prepare(_ ready: inout Bool) {
    if !ready {
      // What a file leads to must not depend on who reads it, nor may a file make code be loaded.
      for name in Self.ignoredVariables { unsetenv(name) }
      H5dont_atexit()  // after a full disk HDF5's own exit handler would retry, fail and print
      H5PLset_loading_state(0)
      ready = true
    }
    H5Eset_auto2(chdf5_default_error_stack(), nil, nil)  // printing to stderr is a per-thread setting
  }

  /// The calling thread's error stack, outermost call first.
  private static func errorStack() -> [String] {
    var entries: [String] = []
    withUnsafeMutablePointer(to: &entries) { entries in
      _ = H5Ewalk2(
        chdf5_default_error_stack(), H5E_WALK_DOWNWARD,
        { _, entry, list in
          guard let entry = entry?.pointee, let list else { return 0 }
          let function = entry.func_name.map { String(cString: $0) } ?? "?"
          let reason = entry.desc.map { String(cString: $0) } ?? "?"
          list.assumingMemoryBound(to: [String].self).pointee.append("\(function): \(reason)")
          return 0
        }, entries)
    }
    return entries
  }
}
