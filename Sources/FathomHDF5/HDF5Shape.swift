internal import CFathomHDF5

/// Extents of a dataset or attribute and the arithmetic on them that must not overflow.
enum HDF5Shape {
  /// The extents of a data space; `[]` for a scalar, nil for a null space (h5py's `Empty`).
  static func extents(of space: borrowing Handle, on object: String) throws(HDF5Error) -> [Int]? {
    let id = space.id
    var isNull = false
    let rank = try HDF5Library.call("H5Sget_simple_extent_ndims", on: object) {
      isNull = H5Sget_simple_extent_type(id) == H5S_NULL
      return H5Sget_simple_extent_ndims(id)
    }
    if isNull { return nil }
    var extents = [hsize_t](repeating: 0, count: Int(rank))
    try HDF5Library
      .call("H5Sget_simple_extent_dims", on: object) { H5Sget_simple_extent_dims(id, &extents, nil) }
    return extents.map { Int(clamping: $0) }
  }

  /// The product of the extents; nil where it does not fit an `Int`.
  static func count(_ extents: some Sequence<Int>) -> Int? {
    var product = 1
    for extent in extents {
      let (next, overflow) = product.multipliedReportingOverflow(by: extent)
      if overflow { return nil }
      product = next
    }
    return product
  }

  /// How many elements a request covers, refused before any memory is taken if it is absurd.
  static func allocatable(
    _ extents: some Collection<Int>, bytesEach: Int, _ operation: String, on object: String
  ) throws(HDF5Error) -> Int {
    guard let elements = count(extents), let bytes = count([elements, bytesEach]),
      bytes <= HDF5Dataset.largestRead
    else {
      let size = extents.map(String.init).joined(separator: "×")
      throw HDF5Error(
        .tooLarge, operation: operation, object: object,
        "\(size) elements are more than one read may fetch (\(HDF5Dataset.largestRead) bytes)")
    }
    return elements
  }

  /// A simple data space of the given extents, or a scalar one for `[]`.
  static func space(_ extents: [Int], on object: String) throws(HDF5Error) -> Handle {
    let extents = extents.map { hsize_t(max(0, $0)) }
    return try Handle("H5Screate_simple", on: object) {
      extents.isEmpty ? H5Screate(H5S_SCALAR) : H5Screate_simple(Int32(extents.count), extents, nil)
    }
  }
}
