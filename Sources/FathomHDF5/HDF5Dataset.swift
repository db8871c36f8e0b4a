internal import CFathomHDF5

/// An open dataset. Its chunk cache is off: every read touches each of its chunks once and keeps none, so
/// memory does not depend on the length of a stack.
public struct HDF5Dataset: ~Copyable {
  /// Bytes that one read may fetch; more is refused before memory is taken.
  public static let largestRead = 1 << 31
  let handle: Handle, label: String
  /// The path inside the file.
  public let name: String
  /// Extents, slowest-varying first; `[]` for a scalar or empty dataset.
  public let shape: [Int]
  /// Whether the dataset has a data space without elements (h5py's `Empty`).
  public let isEmpty: Bool
  /// Type of an element in the file.
  public let storedType: HDF5StoredType
  /// Bytes that the elements take where nothing is compressed; `Int.max` where that does not fit.
  public var declaredByteCount: Int { isEmpty ? 0 : HDF5Shape.count(shape + [storedType.byteCount]) ?? .max }

  /// Takes over an opened dataset and asks it for shape and type.
  static func describing(
    _ handle: consuming Handle, name: String, label: String
  ) throws(HDF5Error) -> HDF5Dataset {
    let id = handle.id
    let space = try Handle("H5Dget_space", on: label) { H5Dget_space(id) }
    let type = try Handle("H5Dget_type", on: label) { H5Dget_type(id) }
    let extents = try HDF5Shape.extents(of: space, on: label)
    let storedType = try HDF5StoredType(of: type, on: label)
    return HDF5Dataset(
      handle: handle, label: label, name: name, shape: extents ?? [], isEmpty: extents == nil,
      storedType: storedType)
  }

  /// All elements, row-major, converted to `Element` by HDF5.
  /// - Throws: `HDF5Error`; `cause` is `.tooLarge` above `largestRead`, `.missingFilter` where the file's
  ///   compression is unknown here.
  public func read<Element: HDF5Scalar>(as type: Element.Type = Element.self) throws(HDF5Error) -> [Element] {
    if isEmpty { return [] }
    return try read(shape, from: nil, in: nil)
  }

  /// The elements of one entry along the first axis: frame `index` of a stack.
  /// - Precondition: the dataset has a first axis and `index` lies in it.
  public func read<Element: HDF5Scalar>(
    as type: Element.Type = Element.self, at index: Int
  ) throws(HDF5Error) -> [Element] {
    let slab = try slab(at: index, "H5Sselect_hyperslab")
    return try read([1] + shape.dropFirst(), from: Self.origin(index, shape), in: slab.id)
  }

  /// The elements of several entries along the first axis: frames that follow each other.
  /// - Precondition: the dataset has a first axis and `entries` lie in it.
  public func read<Element: HDF5Scalar>(
    as type: Element.Type = Element.self, entries: Range<Int>
  ) throws(HDF5Error) -> [Element] {
    if entries.isEmpty { return [] }
    let slab = try slab(entries, "H5Sselect_hyperslab")
    return try read(
      [entries.count] + shape.dropFirst(), from: Self.origin(entries.lowerBound, shape), in: slab.id)
  }

  /// Stores one entry along the first axis.
  /// - Precondition: `values` has as many elements as one entry, and `index` lies in the first axis.
  public func write<Element: HDF5Scalar>(_ values: [Element], at index: Int) throws(HDF5Error) {
    precondition(values.count == HDF5Shape.count(shape.dropFirst()), "one value per element of the entry")
    precondition(shape.first.map { (0..<$0).contains(index) } ?? false, "the entry lies in the first axis")
    if try writeCompressed(values, at: index) { return }
    let slab = try slab(at: index, "H5Sselect_hyperslab")
    try write(values, [1] + shape.dropFirst(), in: slab.id)
  }

  /// Stores every element.
  /// - Precondition: `values` has as many elements as the dataset.
  public func write<Element: HDF5Scalar>(_ values: [Element]) throws(HDF5Error) {
    precondition(values.count == HDF5Shape.count(shape), "one value per element")
    try write(values, shape, in: nil)
  }

  /// `extents` are those of the selection in the file: HDF5 copies element by element where shapes differ.
  func read<Element: HDF5Scalar>(
    _ extents: [Int], from start: [Int]?, in slab: hid_t?
  ) throws(HDF5Error) -> [Element] {
    try requireNumbers("H5Dread")
    let count = try HDF5Shape.allocatable(
      extents, bytesEach: MemoryLayout<Element>.stride, "H5Dread", on: label)
    if count == 0 { return [] }
    try requireWholeChunks(from: start, extents: extents)
    let memory = try HDF5Shape.space(extents, on: label)
    let (id, inMemory, inFile) = (handle.id, memory.id, slab)
    var failure: HDF5Error?
    let values = [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(HDF5Error) {
        try HDF5Library.call("H5Dread", on: label) {
          H5Dread(
            id, Element.scalarKind.nativeType, inFile == nil ? chdf5_whole_space() : inMemory,
            inFile ?? chdf5_whole_space(), chdf5_default_properties(), buffer.baseAddress)
        }
        initialized = count
      } catch { failure = error }
    }
    if let failure { throw failure }
    return values
  }

  private func write<Element: HDF5Scalar>(
    _ values: [Element], _ extents: [Int], in slab: hid_t?
  ) throws(HDF5Error) {
    try requireNumbers("H5Dwrite")
    if values.isEmpty { return }
    let memory = try HDF5Shape.space(extents, on: label)
    let (id, inMemory, inFile) = (handle.id, memory.id, slab)
    try HDF5Library.call("H5Dwrite", on: label) {
      H5Dwrite(
        id, Element.scalarKind.nativeType, inFile == nil ? chdf5_whole_space() : inMemory,
        inFile ?? chdf5_whole_space(), chdf5_default_properties(), values)
    }
  }

  /// The file's data space with entry `index` of the first axis selected.
  func slab(at index: Int, _ operation: String) throws(HDF5Error) -> Handle {
    try slab(index..<index + 1, operation)
  }

  /// The file's data space with entries of the first axis selected.
  private func slab(_ entries: Range<Int>, _ operation: String) throws(HDF5Error) -> Handle {
    precondition(
      !shape.isEmpty && entries.lowerBound >= 0 && entries.upperBound <= shape[0],
      "the entries lie in the first axis")
    let space = try Handle("H5Dget_space", on: label) { [id = handle.id] in H5Dget_space(id) }
    let start = [hsize_t(entries.lowerBound)] + shape.dropFirst().map { _ in 0 }
    let count = [hsize_t(entries.count)] + shape.dropFirst().map { hsize_t($0) }
    try HDF5Library.call(operation, on: label) { [id = space.id] in
      H5Sselect_hyperslab(id, H5S_SELECT_SET, start, nil, count, nil)
    }
    return space
  }

  private func requireNumbers(_ operation: String) throws(HDF5Error) {
    guard storedType.isNumeric else {
      throw HDF5Error(
        operation: operation, object: label, stack: ["the elements are \(storedType), not numbers"])
    }
  }
}
