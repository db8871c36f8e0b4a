internal import CHDF5

extension HDF5Dataset {
  /// Stores what is compressed already as the chunk of an entry along the first axis.
  ///
  /// - Returns: False where an entry is not one shuffled and deflated chunk of just such elements: then the library has to write.
  /// - Throws: `HDF5Error`.
  /// - Precondition: `index` lies in the first axis.
  public func write(_ entry: CompressedEntry, at index: Int) throws(HDF5Error) -> Bool {
    precondition(shape.first.map { (0..<$0).contains(index) } ?? false, "the entry lies in the first axis")
    guard shape.count > 1, storedType.byteCount == entry.elementBytes, try isStored(as: entry.kind) else {
      return false
    }
    let storage = try storage()
    guard storage.chunk == [1] + shape.dropFirst(),
      let layout = ChunkLayout(storage, shape, elementBytes: entry.elementBytes), layout.isShuffled,
      layout.isDeflated, layout.chunkBytes == entry.count * entry.elementBytes,
      storage.filters.last?.parameters.first == UInt32(exactly: entry.level)
    else { return false }
    let (id, offset) = (handle.id, Self.origin(index, shape).map { hsize_t($0) })
    try HDF5Library.call("H5Dwrite_chunk", on: label) {
      entry.bytes.withUnsafeBytes { bytes in
        H5Dwrite_chunk(id, chdf5_default_properties(), 0, offset, bytes.count, bytes.baseAddress)
      }
    }
    return true
  }

  /// Whether an entry is worth being compressed here, and the level.
  private func ownLevel(_ elementBytes: Int) throws(HDF5Error) -> Int? {
    let storage = try storage()
    guard storage.chunk == [1] + shape.dropFirst(),
      let layout = ChunkLayout(storage, shape, elementBytes: elementBytes), layout.isShuffled,
      layout.isDeflated
    else { return nil }
    return storage.filters.last?.parameters.first.map { Int($0) }
  }

  /// The same of numbers, which are compressed now.
  func writeCompressed<Element: HDF5Scalar>(_ values: [Element], at index: Int) throws(HDF5Error) -> Bool {
    guard let level = try ownLevel(MemoryLayout<Element>.stride),
      let entry = CompressedEntry(values, level: level)
    else { return false }
    return try write(entry, at: index)
  }
}
