internal import CFathomHDF5

extension HDF5Dataset {
  /// Puts the entries along the first axis in another order, whatever their type is.
  ///
  /// Cycle by cycle, so that two entries are in memory at a time.
  /// - Parameter order: The old index of every new entry.
  /// - Precondition: `order` is a permutation of the first axis.
  public func reorderEntries(_ order: [Int]) throws(HDF5Error) {
    precondition(
      order.count == shape.first && order.sorted() == Array(order.indices), "a permutation of the first axis")
    let id = handle.id
    let type = try Handle("H5Dget_type", on: label) { H5Dget_type(id) }
    var isDone = [Bool](repeating: false, count: order.count)
    for start in order.indices where !isDone[start] && order[start] != start {
      let first = try rawEntry(at: start, of: type.id)
      var place = start
      while order[place] != start {
        isDone[place] = true
        try write(try rawEntry(at: order[place], of: type.id), of: type.id, at: place)
        place = order[place]
      }
      isDone[place] = true
      try write(first, of: type.id, at: place)
    }
  }

  private func rawEntry(at index: Int, of type: hid_t) throws(HDF5Error) -> RawElements {
    let (id, extents) = (handle.id, [1] + shape.dropFirst())
    let slab = try slab(at: index, "H5Sselect_hyperslab")
    let memory = try HDF5Shape.space(extents, on: label)
    let elements = try RawElements(extents, of: type, on: label), buffer = elements.buffer
    try HDF5Library.call("H5Dread", on: label) { [slab = slab.id, memory = memory.id] in
      H5Dread(id, type, memory, slab, chdf5_default_properties(), buffer)
    }
    return elements
  }

  private func write(_ elements: borrowing RawElements, of type: hid_t, at index: Int) throws(HDF5Error) {
    let (id, extents, buffer) = (handle.id, [1] + shape.dropFirst(), elements.buffer)
    let slab = try slab(at: index, "H5Sselect_hyperslab")
    let memory = try HDF5Shape.space(extents, on: label)
    try HDF5Library.call("H5Dwrite", on: label) { [slab = slab.id, memory = memory.id] in
      H5Dwrite(id, type, memory, slab, chdf5_default_properties(), buffer)
    }
  }
}
