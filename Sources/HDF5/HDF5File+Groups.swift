internal import CHDF5

/// What a path in a file leads to.
public enum HDF5ObjectKind: Sendable, Hashable {
  case group, dataset, namedType
}

extension HDF5File {
  /// What `object` is; nil where nothing is there, or where a link leads nowhere.
  public func kind(of object: String) throws(HDF5Error) -> HDF5ObjectKind? {
    let id = handle.id
    var prefix = ""
    for part in object.split(separator: "/") {  // H5Lexists wants every parent to exist
      prefix += prefix.isEmpty ? "\(part)" : "/\(part)"
      let exists = try HDF5Library.call("H5Lexists", on: label(object)) { [prefix] in
        H5Lexists(id, prefix, chdf5_default_properties())
      }
      guard exists > 0 else { return nil }
      let resolves = try HDF5Library.call("H5Oexists_by_name", on: label(object)) { [prefix] in
        H5Oexists_by_name(id, prefix, chdf5_default_properties())
      }
      guard resolves > 0 else { return nil }
      if prefix.count < object.count, try objectType(prefix) != H5O_TYPE_GROUP { return nil }
    }
    switch try objectType(object.isEmpty ? "/" : object) {
    case H5O_TYPE_GROUP: return .group
    case H5O_TYPE_DATASET: return .dataset
    default: return .namedType
    }
  }

  /// Names of a group's members, in the order of their bytes.
  public func members(of group: String = "/") throws(HDF5Error) -> [String] {
    let label = self.label(group)
    let owner = try Handle("H5Gopen2", on: label) { [id = handle.id] in
      H5Gopen2(id, group.isEmpty ? "/" : group, chdf5_default_properties())
    }
    let id = owner.id
    var info = H5G_info_t()
    try HDF5Library.call("H5Gget_info", on: label) { H5Gget_info(id, &info) }
    var names: [String] = []
    for index in 0..<info.nlinks {
      let length = try memberName(id, index, nil, 0, on: label)
      var name = [CChar](repeating: 0, count: length + 1)
      let capacity = name.count
      _ = try name.withUnsafeMutableBufferPointer { buffer throws(HDF5Error) in
        try memberName(id, index, buffer.baseAddress, capacity, on: label)
      }
      names.append(String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return names
  }

  /// Creates a group; its parents must exist.
  public func createGroup(_ group: String) throws(HDF5Error) {
    _ = try Handle("H5Gcreate2", on: label(group)) { [id = handle.id] in
      let none = chdf5_default_properties()
      return H5Gcreate2(id, group, none, none, none)
    }
  }

  private func objectType(_ object: String) throws(HDF5Error) -> H5O_type_t {
    let opened = try Handle("H5Oopen", on: label(object)) { [id = handle.id] in
      H5Oopen(id, object, chdf5_default_properties())
    }
    var info = H5O_info_t()
    try HDF5Library.call("H5Oget_info2", on: label(object)) { [id = opened.id] in
      H5Oget_info2(id, &info, UInt32(H5O_INFO_BASIC))
    }
    return info.type
  }

  private func memberName(
    _ id: hid_t, _ index: hsize_t, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int, on label: String
  ) throws(HDF5Error) -> Int {
    try HDF5Library.call("H5Lget_name_by_idx", on: label) {
      H5Lget_name_by_idx(
        id, ".", H5_INDEX_NAME, H5_ITER_INC, index, buffer, capacity, chdf5_default_properties())
    }
  }
}
