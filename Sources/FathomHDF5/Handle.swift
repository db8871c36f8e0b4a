internal import CFathomHDF5

/// Owns exactly one HDF5 identifier; `deinit` is the only place that releases it unasked.
struct Handle: ~Copyable {
  let id: hid_t

  /// Takes over the identifier that `open` gives.
  init(_ operation: String, on object: String, _ open: () -> hid_t) throws(HDF5Error) {
    id = try HDF5Library.call(operation, on: object, open)
  }

  /// Releases now and reports what a `deinit` would have to swallow.
  consuming func close(_ operation: String, on object: String, _ body: (hid_t) -> herr_t) throws(HDF5Error) {
    let id = self.id
    discard self
    try HDF5Library.call(operation, on: object) { body(id) }
  }

  deinit { HDF5Library.close(id) }  // H5Idec_ref: right for files, datasets, spaces and types alike
}
