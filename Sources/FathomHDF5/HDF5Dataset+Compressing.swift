internal import CFathomHDF5

extension HDF5Dataset {
  /// Stores what is compressed already as the chunk of an entry along the first axis.
  /// - Returns: False where an entry is not one shuffled and deflated chunk of just such elements: then the library has to write.
  /// - Precondition: `index` lies in the first axis.
  public func write(_ entry: CompressedEntry, at index: Int) throws(HDF5Error) -> Bool {
    precondition(shape.first.map { (0..<$0).contains(index) } ?? false, "the entry lies in the first axis")
    guard let own = try ownCompression(of: entry.kind, entry.elementBytes), own.level == entry.level,
      own.chunkBytes == entry.count * entry.elementBytes
    else { return false }
    try store(entry, at: index)
    return true
  }

  /// The same of numbers, which are compressed now.
  func writeCompressed<Element: HDF5Scalar>(_ values: [Element], at index: Int) throws(HDF5Error) -> Bool {
    guard let own = try ownCompression(of: Element.scalarKind, MemoryLayout<Element>.stride),
      let entry = CompressedEntry(values, level: own.level)
    else { return false }
    try store(entry, at: index)
    return true
  }

  /// Bytes of an entry and the level at which it is deflated; nil where an entry is not one shuffled and deflated chunk of just such
  /// elements.
  private func ownCompression(
    of kind: HDF5ScalarKind, _ elementBytes: Int
  ) throws(HDF5Error) -> (chunkBytes: Int, level: Int)? {
    guard shape.count > 1, storedType.byteCount == elementBytes, try isStored(as: kind) else { return nil }
    let storage = try storage()
    guard storage.chunk == [1] + shape.dropFirst(),
      let layout = ChunkLayout(storage, shape, elementBytes: elementBytes), layout.isShuffled,
      layout.isDeflated, let level = storage.filters.last?.parameters.first
    else { return nil }
    return (layout.chunkBytes, Int(level))
  }

  private func store(_ entry: CompressedEntry, at index: Int) throws(HDF5Error) {
    let (id, offset) = (handle.id, Self.origin(index, shape).map { hsize_t($0) })
    try HDF5Library.call("H5Dwrite_chunk", on: label) {
      entry.bytes.withUnsafeBytes { bytes in
        H5Dwrite_chunk(id, chdf5_default_properties(), 0, offset, bytes.count, bytes.baseAddress)
      }
    }
  }
}
