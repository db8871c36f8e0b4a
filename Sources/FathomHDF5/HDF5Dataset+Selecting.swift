internal import CFathomHDF5

extension HDF5Dataset {
  /// The elements of a block, row-major, converted to `Element` by HDF5.
  /// - Parameter start: First index along every axis.
  /// - Parameter extents: Entries along every axis.
  /// - Throws: `HDF5Error` as ``read(as:)``.
  /// - Precondition: The block lies in the dataset.
  public func read<Element: HDF5Scalar>(
    as type: Element.Type = Element.self, from start: [Int], extents: [Int]
  ) throws(HDF5Error) -> [Element] {
    precondition(
      start.count == shape.count && extents.count == shape.count
        && shape.indices.allSatisfy {
          start[$0] >= 0 && extents[$0] >= 0 && start[$0] + extents[$0] <= shape[$0]
        },
      "the block lies in the dataset")
    let slab = try block(start, extents)
    return try read(extents, from: start, in: slab.id)
  }

  /// The file's data space with a block selected.
  private func block(_ start: [Int], _ extents: [Int]) throws(HDF5Error) -> Handle {
    let space = try Handle("H5Dget_space", on: label) { [id = handle.id] in H5Dget_space(id) }
    let (first, count) = (start.map { hsize_t($0) }, extents.map { hsize_t($0) })
    try HDF5Library.call("H5Sselect_hyperslab", on: label) { [id = space.id] in
      H5Sselect_hyperslab(id, H5S_SELECT_SET, first, nil, count, nil)
    }
    return space
  }
}
