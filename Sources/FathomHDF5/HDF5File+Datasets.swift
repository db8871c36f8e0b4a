internal import CFathomHDF5

extension HDF5File {
  /// Opens a dataset.
  /// - Throws: `HDF5Error`; `cause` is `.external` where its numbers lie in other files and that is refused.
  public func dataset(_ name: String) throws(HDF5Error) -> HDF5Dataset {
    let label = self.label(name), opened = try openDataset(name, on: label)
    // Even its shape may depend on other files.
    try followSources(of: opened, name, on: label)
    return try HDF5Dataset.describing(opened, name: name, label: label)
  }

  /// Opens the dataset itself; its elements may lie elsewhere.
  func openDataset(_ name: String, on label: String) throws(HDF5Error) -> Handle {
    let access = try Handle("H5Pcreate", on: label) { H5Pcreate(chdf5_dataset_access()) }
    try HDF5Library
      .call("H5Pset_chunk_cache", on: label) { [id = access.id] in H5Pset_chunk_cache(id, 1, 0, 1) }
    try Self.govern(access, by: external, on: label)
    return try open("H5Dopen2", on: label) { [file = handle.id, id = access.id] in H5Dopen2(file, name, id) }
  }

  /// Creates a dataset of numbers, little-endian; its parent groups must exist.
  /// - Parameter name: The path inside the file.
  /// - Parameter shape: Extents, slowest-varying first; `[]` for a scalar.
  /// - Parameter type: Type of an element in the file.
  /// - Parameter chunk: Extents of a chunk, or nil for contiguous storage.
  /// - Parameter compression: gzip level 1…9 after a byte shuffle, or 0 for none; needs `chunk`.
  /// - Precondition: `chunk` is nil or has the rank of `shape` and no zero.
  public func createDataset<Element: HDF5Scalar>(
    _ name: String, shape: [Int], of type: Element.Type, chunk: [Int]? = nil, compression: Int = 0
  ) throws(HDF5Error) -> HDF5Dataset {
    try create(name, shape: shape, chunk: chunk, compression: compression) { Element.scalarKind.storedType }
  }

  /// Creates a one-dimensional dataset of UTF-8 strings of any length.
  public func writeStrings(_ strings: [String], to name: String) throws(HDF5Error) {
    let label = self.label(name), type = try HDF5Text.variableType(on: label)
    let dataset = try create(name, shape: [strings.count], chunk: nil, compression: 0) { [id = type.id] in id
    }
    let id = dataset.handle.id
    try HDF5Text.withPointers(to: strings) { pointers throws(HDF5Error) in
      try HDF5Library.call("H5Dwrite", on: label) { [type = type.id] in
        H5Dwrite(
          id, type, chdf5_whole_space(), chdf5_whole_space(), chdf5_default_properties(), pointers)
      }
    }
  }

  func create(
    _ name: String, shape: [Int], chunk: [Int]?, compression: Int, type: () -> hid_t
  ) throws(HDF5Error) -> HDF5Dataset {
    let label = self.label(name)
    let creation = try Handle("H5Pcreate", on: label) { H5Pcreate(chdf5_dataset_create()) }
    let creationID = creation.id
    try HDF5Library.call("H5Pset_obj_track_times", on: label) { H5Pset_obj_track_times(creationID, false) }
    if let chunk {
      precondition(chunk.count == shape.count && !chunk.contains(0), "a chunk has the dataset's rank")
      let extents = chunk.map { hsize_t($0) }
      try HDF5Library
        .call("H5Pset_chunk", on: label) { H5Pset_chunk(creationID, Int32(extents.count), extents) }
      if compression > 0 {
        try HDF5Library.call("H5Pset_shuffle", on: label) { H5Pset_shuffle(creationID) }
        try HDF5Library.call("H5Pset_deflate", on: label) { H5Pset_deflate(creationID, UInt32(compression)) }
      }
    }
    let access = try Handle("H5Pcreate", on: label) { H5Pcreate(chdf5_dataset_access()) }
    try HDF5Library
      .call("H5Pset_chunk_cache", on: label) { [id = access.id] in H5Pset_chunk_cache(id, 1, 0, 1) }
    let space = try HDF5Shape.space(shape, on: label)
    let created = try Handle("H5Dcreate2", on: label) {
      [file = handle.id, space = space.id, id = access.id] in
      H5Dcreate2(file, name, type(), space, chdf5_default_properties(), creationID, id)
    }
    return try HDF5Dataset.describing(created, name: name, label: label)
  }
}
