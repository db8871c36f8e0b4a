internal import CFathomHDF5

/// Elements as HDF5 holds them in memory in their stored type: what is read only to be written elsewhere keeps its
/// type, whatever class it is of.
struct RawElements: ~Copyable {
  let buffer: UnsafeMutableRawPointer
  private let type: hid_t, space: Handle, label: String

  /// Takes memory for as many elements as the extents say.
  /// - Parameter type: Of the elements; must outlive this value.
  init(_ extents: [Int], of type: hid_t, on label: String) throws(HDF5Error) {
    let size = try HDF5Library.call("H5Tget_size", on: label) { H5Tget_size(type) }
    let count = try HDF5Shape.allocatable(extents, bytesEach: Int(size), "H5Dread", on: label)
    space = try HDF5Shape.space([count], on: label)
    (self.type, self.label) = (type, label)
    let bytes = max(1, count * Int(size))
    buffer = .allocate(byteCount: bytes, alignment: 16)
    // Null pointers: what a failed read leaves is nothing to be released.
    buffer.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
  }

  deinit {
    let (id, space, buffer) = (type, space.id, buffer)
    _ =
      try? HDF5Library
      .call("H5Dvlen_reclaim", on: label) { H5Dvlen_reclaim(id, space, chdf5_default_properties(), buffer) }
    buffer.deallocate()
  }
}
