internal import CFathomHDF5

extension HDF5File {
  /// Names of an object's attributes, in the order of their bytes.
  public func attributeNames(of object: String = "/") throws(HDF5Error) -> [String] {
    let label = self.label(object)
    let opened = try open("H5Oopen", on: label) { [id = handle.id, links = links.id] in
      H5Oopen(id, object, links)
    }
    let id = opened.id
    var info = H5O_info_t()
    try HDF5Library.call("H5Oget_info2", on: label) { H5Oget_info2(id, &info, UInt32(H5O_INFO_NUM_ATTRS)) }
    var names: [String] = []
    for index in 0..<info.num_attrs {
      let length = try HDF5Library.call("H5Aget_name_by_idx", on: label) {
        H5Aget_name_by_idx(
          id, ".", H5_INDEX_NAME, H5_ITER_INC, index, nil, 0, chdf5_default_properties())
      }
      var name = [CChar](repeating: 0, count: length + 1)
      let capacity = name.count
      try HDF5Library.call("H5Aget_name_by_idx", on: label) {
        H5Aget_name_by_idx(
          id, ".", H5_INDEX_NAME, H5_ITER_INC, index, &name, capacity, chdf5_default_properties())
      }
      names.append(String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return names
  }

  /// Sets an attribute, in the place of one that exists.
  public func replaceAttribute(
    _ name: String, of object: String, with value: HDF5Attribute
  ) throws(HDF5Error) {
    try removeAttribute(name, of: object)
    try setAttribute(name, of: object, to: value)
  }

  /// Removes an attribute where it exists.
  public func removeAttribute(_ name: String, of object: String) throws(HDF5Error) {
    guard try attribute(name, of: object) != nil else { return }
    try follow("H5Adelete_by_name", on: label(object) + "@" + name) { [id = handle.id, links = links.id] in
      H5Adelete_by_name(id, object, name, links)
    }
  }

  /// Gives an object the attributes of another one, of whatever class they are.
  /// - Throws: `HDF5Error` where one exists already.
  public func copyAttributes(of source: String, to target: String) throws(HDF5Error) {
    for name in try attributeNames(of: source) {
      let label = self.label(source) + "@" + name
      let opened = try open("H5Aopen_by_name", on: label) { [id = handle.id, links = links.id] in
        H5Aopen_by_name(id, source, name, chdf5_default_properties(), links)
      }
      let attribute = opened.id
      let type = try Handle("H5Aget_type", on: label) { H5Aget_type(attribute) }
      let space = try Handle("H5Aget_space", on: label) { H5Aget_space(attribute) }
      let copy = try open("H5Acreate_by_name", on: label) {
        [id = handle.id, type = type.id, space = space.id, links = links.id] in
        let none = chdf5_default_properties()
        return H5Acreate_by_name(id, target, name, type, space, none, none, links)
      }
      guard let shape = try HDF5Shape.extents(of: space, on: label) else { continue }
      let elements = try RawElements(shape, of: type.id, on: label), buffer = elements.buffer
      try HDF5Library.call("H5Aread", on: label) { [type = type.id] in H5Aread(attribute, type, buffer) }
      try HDF5Library
        .call("H5Awrite", on: label) { [id = copy.id, type = type.id] in H5Awrite(id, type, buffer) }
    }
  }

  /// Creates a dataset whose elements have the type of another one's.
  /// - SeeAlso: ``createDataset(_:shape:of:chunk:compression:)``.
  public func createDataset(
    _ name: String, shape: [Int], like model: borrowing HDF5Dataset, chunk: [Int]? = nil, compression: Int = 0
  ) throws(HDF5Error) -> HDF5Dataset {
    let id = model.handle.id
    let type = try Handle("H5Dget_type", on: label(name)) { H5Dget_type(id) }
    return try create(name, shape: shape, chunk: chunk, compression: compression) { [id = type.id] in id }
  }

  /// Unlinks an object; its space in the file is not reclaimed.
  public func remove(_ object: String) throws(HDF5Error) {
    try follow("H5Ldelete", on: label(object)) { [id = handle.id, links = links.id] in
      H5Ldelete(id, object, links)
    }
  }

  /// Gives an object another name: as its equal, or as a path that is looked up each time.
  /// - Parameter target: Path of the object; for a soft link from the root, and nothing needs to be there.
  public func addLink(_ name: String, to target: String, isHard: Bool) throws(HDF5Error) {
    try follow("H5Lcreate", on: label(name)) { [id = handle.id, links = links.id] in
      isHard
        ? H5Lcreate_hard(id, target, id, name, chdf5_default_properties(), links)
        : H5Lcreate_soft(target, id, name, chdf5_default_properties(), links)
    }
  }

  /// Gives an object another path; its attributes go with it.
  public func move(_ object: String, to path: String) throws(HDF5Error) {
    try follow("H5Lmove", on: label(object)) { [id = handle.id, links = links.id] in
      H5Lmove(id, object, id, path, chdf5_default_properties(), links)
    }
  }
}
