internal import CFathomHDF5

extension HDF5Dataset {
  /// Copies an entry along the first axis from another dataset, as it is stored: nothing is decompressed or compressed.
  /// - Parameter index: The entry of the other dataset, which is one chunk with the same filters as here.
  /// - Parameter place: Where it is stored here.
  /// - Throws: `HDF5Error` where there is no such chunk, or the chunks are of another kind.
  /// - Precondition: Both have a first axis, and the indices lie in it.
  public func copyEntry(_ index: Int, of other: borrowing HDF5Dataset, to place: Int) throws(HDF5Error) {
    precondition(
      (other.shape.first.map { (0..<$0).contains(index) } ?? false)
        && (shape.first.map { (0..<$0).contains(place) } ?? false), "the entries lie in the first axis")
    let (own, others) = (try storage(), try other.storage())
    guard own.chunk == [1] + shape.dropFirst(), others.chunk == own.chunk, own.filters == others.filters,
      other.storedType == storedType
    else {
      throw HDF5Error(operation: "H5Dwrite_chunk", object: label, stack: ["the chunks are of another kind"])
    }
    var room = RawRoom()
    let most = (HDF5Shape.count(own.chunk ?? []) ?? 0) * storedType.byteCount * 2 + 4096
    guard let found = other.storedChunk(at: Self.origin(index, other.shape), atMost: most, to: &room),
      found.skipped == 0
    else {
      throw HDF5Error(operation: "H5Dread_chunk", object: other.label, stack: ["entry \(index) is not there"])
    }
    let (id, offset) = (handle.id, Self.origin(place, shape).map { hsize_t($0) })
    let bytes = room.bytes(found.bytes)
    try HDF5Library.call("H5Dwrite_chunk", on: label) {
      H5Dwrite_chunk(id, chdf5_default_properties(), 0, offset, found.bytes, bytes.baseAddress)
    }
  }

  static func origin(_ index: Int, _ shape: [Int]) -> [Int] { [index] + shape.dropFirst().map { _ in 0 } }
}
