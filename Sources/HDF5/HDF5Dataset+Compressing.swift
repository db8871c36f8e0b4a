internal import CHDF5
internal import CKernels

extension HDF5Dataset {
  /// Compresses an entry along the first axis here, three times as fast as the library and not under its lock, and stores it as its
  /// chunk.
  ///
  /// - Returns: False where an entry is not one shuffled and deflated chunk of the elements as they are: then the library has to write.
  /// - Precondition: `values` has as many elements as one entry, and `index` lies in the first axis.
  func writeCompressed<Element: HDF5Scalar>(_ values: [Element], at index: Int) throws(HDF5Error) -> Bool {
    let bytes = MemoryLayout<Element>.stride
    guard shape.count > 1, storedType.byteCount == bytes, try isStored(as: Element.scalarKind) else {
      return false
    }
    let storage = try storage()
    guard storage.chunk == [1] + shape.dropFirst(),
      let layout = ChunkLayout(storage, shape, elementBytes: bytes), layout.isShuffled, layout.isDeflated,
      let level = storage.filters.last?.parameters.first
    else { return false }
    let deflater = Deflater(level: Int(level))
    var shuffled = RawRoom(), room = RawRoom()
    let target = shuffled.bytes(layout.chunkBytes), stream = room.bytes(deflater.bound(layout.chunkBytes))
    values.withUnsafeBytes { source in
      guard let source = source.baseAddress, let target = target.baseAddress else { return }
      shuffle_do(
        source.assumingMemoryBound(to: UInt8.self), values.count, bytes,
        target.assumingMemoryBound(to: UInt8.self))
    }
    guard let size = deflater.deflate(UnsafeRawBufferPointer(target), to: stream) else { return false }
    let (id, offset) = (handle.id, Self.origin(index, shape).map { hsize_t($0) })
    try HDF5Library.call("H5Dwrite_chunk", on: label) {
      H5Dwrite_chunk(id, chdf5_default_properties(), 0, offset, size, stream.baseAddress)
    }
    return true
  }
}
