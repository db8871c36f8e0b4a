internal import CFathomHDF5

/// How a dataset lies in its file.
public struct HDF5Storage: Sendable, Hashable {
  /// A step of the chunks' compression pipeline.
  public struct Filter: Sendable, Hashable {
    /// HDF5's registered number: 1 deflate, 2 shuffle.
    public var number: Int
    /// The name that the file gives it, or "filter 32001".
    public var name: String
    /// Whether this machine's HDF5 can undo it.
    public var isAvailable: Bool
    /// What the file tells it: of deflate the level, of shuffle the bytes of an element.
    public var parameters: [UInt32]
  }

  /// Whether the elements lie in other files, or come from other datasets.
  public var isElsewhere: Bool
  /// Extents of a chunk; nil for contiguous and compact storage.
  public var chunk: [Int]?
  /// The pipeline, in the order of writing.
  public var filters: [Filter]
  /// Bytes that the elements take in the file.
  public var bytes: Int
}

extension HDF5Dataset {
  /// Chunking, compression and size in the file.
  public func storage() throws(HDF5Error) -> HDF5Storage {
    let id = handle.id
    let creation = try Handle("H5Dget_create_plist", on: label) { H5Dget_create_plist(id) }
    let list = creation.id
    var chunk: [Int]?
    let layout = try HDF5Library.call("H5Pget_layout", on: label) { H5Pget_layout(list).rawValue }
    let externalCount = try HDF5Library.call("H5Pget_external_count", on: label) {
      H5Pget_external_count(list)
    }
    if layout == H5D_CHUNKED.rawValue {
      var extents = [hsize_t](repeating: 0, count: shape.count)
      try HDF5Library.call("H5Pget_chunk", on: label) { H5Pget_chunk(list, Int32(extents.count), &extents) }
      chunk = extents.map { Int(clamping: $0) }
    }
    let filterCount = try HDF5Library.call("H5Pget_nfilters", on: label) { H5Pget_nfilters(list) }
    var filters: [HDF5Storage.Filter] = []
    for index in 0..<UInt32(filterCount) { filters.append(try filter(index, of: list)) }
    let bytes = try HDF5Library.call("H5Dget_storage_size", on: label) { H5Dget_storage_size(id) }
    return HDF5Storage(
      isElsewhere: layout == H5D_VIRTUAL.rawValue || externalCount > 0, chunk: chunk, filters: filters,
      bytes: Int(clamping: bytes))
  }

  private func filter(_ index: UInt32, of list: hid_t) throws(HDF5Error) -> HDF5Storage.Filter {
    var parameters = [UInt32](repeating: 0, count: 16)
    var (flags, parameterCount, configuration) = (UInt32(0), parameters.count, UInt32(0))
    var name = [CChar](repeating: 0, count: 256)
    let number = try HDF5Library.call("H5Pget_filter2", on: label) {
      H5Pget_filter2(list, index, &flags, &parameterCount, &parameters, 256, &name, &configuration)
    }
    let isAvailable = try HDF5Library.call("H5Zfilter_avail", on: label) { H5Zfilter_avail(number) }
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return HDF5Storage.Filter(
      number: Int(number), name: text.isEmpty ? "filter \(number)" : text, isAvailable: isAvailable > 0,
      parameters: Array(parameters.prefix(parameterCount)))
  }
}
