internal import CFathomHDF5

extension HDF5File {
  /// An attribute of a group or dataset ("/" is the root); nil where it does not exist.
  public func attribute(_ name: String, of object: String = "/") throws(HDF5Error) -> HDF5Attribute? {
    let label = self.label(object) + "@" + name, id = handle.id
    let exists = try follow("H5Aexists_by_name", on: label) { [links = links.id] in
      H5Aexists_by_name(id, object, name, links)
    }
    guard exists > 0 else { return nil }
    let attribute = try open("H5Aopen_by_name", on: label) { [links = links.id] in
      H5Aopen_by_name(id, object, name, chdf5_default_properties(), links)
    }
    let attributeID = attribute.id
    let type = try Handle("H5Aget_type", on: label) { H5Aget_type(attributeID) }
    let space = try Handle("H5Aget_space", on: label) { H5Aget_space(attributeID) }
    guard let shape = try HDF5Shape.extents(of: space, on: label)
    else { return HDF5Attribute(shape: [0], elements: .other("empty")) }
    guard let count = HDF5Shape.count(shape), count <= HDF5Attribute.largestCount else {
      throw HDF5Error(
        .tooLarge, operation: "H5Aread", object: label,
        "its attribute \(name) declares more than \(HDF5Attribute.largestCount) elements")
    }
    switch try HDF5StoredType(of: type, on: label) {
    case .integer:
      return HDF5Attribute(shape: shape, elements: .integers(try numbers(attributeID, shape, on: label)))
    case .float:
      return HDF5Attribute(shape: shape, elements: .reals(try numbers(attributeID, shape, on: label)))
    case .string:
      let strings = try HDF5Text.read(
        shape, of: type, longest: HDF5Attribute.longestText, "H5Aread", on: label
      ) { [type = type.id] buffer, _ in H5Aread(attributeID, type, buffer) }
      return HDF5Attribute(shape: shape, elements: .strings(strings))
    case .other(let name): return HDF5Attribute(shape: shape, elements: .other(name))
    }
  }

  /// Adds an attribute to a group or dataset ("/" is the root); strings are stored as UTF-8 of any length.
  /// - Throws: `HDF5Error` where the attribute exists, or its class is `.other`.
  /// - Precondition: there are as many elements as `shape` says.
  public func setAttribute(
    _ name: String, of object: String = "/", to value: HDF5Attribute
  ) throws(HDF5Error) {
    let label = self.label(object) + "@" + name
    switch value.elements {
    case .integers(let values):
      let created = try create(name, object, value.shape, values.count, label) { chdf5_stored_int64() }
      try HDF5Library
        .call("H5Awrite", on: label) { [id = created.id] in H5Awrite(id, chdf5_native_int64(), values) }
    case .reals(let values):
      let created = try create(name, object, value.shape, values.count, label) { chdf5_stored_double() }
      try HDF5Library
        .call("H5Awrite", on: label) { [id = created.id] in H5Awrite(id, chdf5_native_double(), values) }
    case .strings(let values):
      let type = try HDF5Text.variableType(on: label)
      let created = try create(name, object, value.shape, values.count, label) { [id = type.id] in id }
      try HDF5Text.withPointers(to: values) { pointers throws(HDF5Error) in
        try HDF5Library
          .call("H5Awrite", on: label) { [id = created.id, type = type.id] in H5Awrite(id, type, pointers) }
      }
    case .other(let name):
      throw HDF5Error(operation: "H5Awrite", object: label, stack: ["cannot write the class \(name)"])
    }
  }

  private func create(
    _ name: String, _ object: String, _ shape: [Int], _ count: Int, _ label: String, type: () -> hid_t
  ) throws(HDF5Error) -> Handle {
    precondition(HDF5Shape.count(shape) == count, "one element per place of the shape")
    let space = try HDF5Shape.space(shape, on: label)
    return try open("H5Acreate_by_name", on: label) {
      [file = handle.id, space = space.id, links = links.id] in
      let none = chdf5_default_properties()
      return H5Acreate_by_name(file, object, name, type(), space, none, none, links)
    }
  }

  private func numbers<Element: HDF5Scalar>(
    _ id: hid_t, _ shape: [Int], on label: String
  ) throws(HDF5Error) -> [Element] {
    let count = try HDF5Shape.allocatable(
      shape, bytesEach: MemoryLayout<Element>.stride, "H5Aread", on: label)
    var values = [Element](repeating: .zero, count: count)
    if count == 0 { return values }
    try HDF5Library.call("H5Aread", on: label) { H5Aread(id, Element.scalarKind.nativeType, &values) }
    return values
  }
}
