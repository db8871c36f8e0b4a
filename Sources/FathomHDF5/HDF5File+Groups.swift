internal import CFathomHDF5

/// What a path in a file leads to.
public enum HDF5ObjectKind: Sendable, Hashable {
  case group, dataset, namedType
}

/// Identifies an object within its file.
public struct HDF5ObjectIdentity: Sendable, Hashable {
  let file: UInt, address: UInt64
}

extension HDF5File {
  /// What `object` is; nil where nothing is there.
  /// - Throws: `HDF5Error`; `cause` is `.brokenLink` where a link on the way leads nowhere, `.external` where it leads
  ///   to another file and that is refused.
  public func kind(of object: String) throws(HDF5Error) -> HDF5ObjectKind? {
    let parts = object.split(separator: "/"), known = passed?.count(leadingTo: parts) ?? 0
    for count in parts.indices.dropFirst(known).map({ $0 + 1 }) {  // H5Lexists wants every parent to exist
      let prefix = parts.prefix(count).joined(separator: "/")
      guard let link = try link(prefix) else { return nil }
      try requireTarget(of: link, prefix)
      if count < parts.count {
        guard try objectInfo(prefix).type == H5O_TYPE_GROUP else { return nil }
        passed?.remember(parts.prefix(count))
      }
    }
    switch try objectInfo(parts.isEmpty ? "/" : object).type {
    case H5O_TYPE_GROUP: return .group
    case H5O_TYPE_DATASET: return .dataset
    default: return .namedType
    }
  }

  /// The same for two names of one object, also where soft or hard links lead to it.
  public func identity(of object: String) throws(HDF5Error) -> HDF5ObjectIdentity {
    let info = try objectInfo(object)
    return HDF5ObjectIdentity(file: info.fileno, address: UInt64(info.addr))
  }

  /// - Throws: `HDF5Error` where there is nothing behind a link.
  private func requireTarget(of link: HDF5Link, _ name: String) throws(HDF5Error) {
    let label = label(name)
    let target: String
    switch link {
    case .hard: return
    case .soft(let path): target = "'\(path)'"
    case .external(let file, let object):
      guard external.isFollowed else {
        throw HDF5Error(
          .external("an external link to '\(file)'"), operation: "H5Oopen", object: label,
          "external links are not followed")
      }
      target = "'\(object)' in '\(file)'"
    case .other:
      throw HDF5Error(
        .brokenLink("something of a kind that HDF5 does not know"), operation: "H5Oopen", object: label,
        "an unknown kind of link")
    }
    var resolves: htri_t = 0
    do throws(HDF5Error) {
      resolves = try follow("H5Oexists_by_name", on: label) { [id = handle.id, links = links.id] in
        H5Oexists_by_name(id, name, links)
      }
    } catch  where error.cause == .other {
      // HDF5 gives up on a link that leads to itself.
      throw HDF5Error(
        .brokenLink("\(target), and nowhere from there"), operation: "H5Oopen", object: label, error.reason)
    }
    guard resolves > 0 else {
      // To HDF5 a link that it was kept from following leads nowhere.
      if let refusal = external.refusal { throw refusal }
      throw HDF5Error(
        .brokenLink("\(target), which does not exist"), operation: "H5Oopen", object: label,
        "there is nothing behind the link")
    }
  }

  /// Names of a group's members, in the order of their bytes.
  /// - Parameter limit: More than this many are not listed.
  /// - Throws: `HDF5Error`; `cause` is `.tooLarge` where there are more than `limit`.
  public func members(of group: String = "/", limit: Int = .max) throws(HDF5Error) -> [String] {
    let label = self.label(group)
    let owner = try open("H5Gopen2", on: label) { [id = handle.id, links = links.id] in
      H5Gopen2(id, group.isEmpty ? "/" : group, links)
    }
    let id = owner.id
    var list = MemberList(limit: limit)
    // One pass: asking for a member by its number searches from the first one each time.
    let status = try withUnsafeMutablePointer(to: &list) { list throws(HDF5Error) in
      try HDF5Library.call("H5Literate", on: label) {
        H5Literate(
          id, H5_INDEX_NAME, H5_ITER_INC, nil,
          { _, name, _, list in
            guard let name, let list = list?.assumingMemoryBound(to: MemberList.self) else { return 0 }
            if list.pointee.names.count >= list.pointee.limit { return 1 }
            list.pointee.names.append(String(cString: name))
            return 0
          }, list)
      }
    }
    guard status == 0 else {
      throw HDF5Error(
        .tooLarge, operation: "H5Literate", object: label, "it has more than \(limit) members")
    }
    return list.names
  }

  private struct MemberList {
    let limit: Int
    var names: [String] = []
  }

  /// Creates a group; its parents must exist.
  public func createGroup(_ group: String) throws(HDF5Error) {
    _ = try open("H5Gcreate2", on: label(group)) { [id = handle.id, links = links.id] in
      let none = chdf5_default_properties()
      return H5Gcreate2(id, group, none, none, links)
    }
  }

  private func objectInfo(_ object: String) throws(HDF5Error) -> H5O_info_t {
    var info = H5O_info_t()
    try follow("H5Oget_info_by_name2", on: label(object)) { [id = handle.id, links = links.id] in
      H5Oget_info_by_name2(id, object, &info, UInt32(H5O_INFO_BASIC), links)
    }
    return info
  }
}
