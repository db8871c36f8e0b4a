internal import CFathomHDF5

/// A link in a file, as it is written there.
public enum HDF5Link: Sendable, Hashable {
  /// One of the names of an object in the file.
  case hard
  /// A path in the same file, which may lead nowhere.
  case soft(String)
  case external(file: String, object: String)
  /// A kind of link that some program has defined for itself.
  case other
}

extension HDF5File {
  /// A property list for paths inside the file: it lets external links be followed where that is allowed.
  static func linkAccess(_ external: ExternalFiles, on path: String) throws(HDF5Error) -> Handle {
    let links = try Handle("H5Pcreate", on: path) { H5Pcreate(chdf5_group_access()) }
    try govern(links, by: external, on: path)
    return links
  }

  /// Makes HDF5 ask `external` before it follows an external link, also one in the middle of a path or behind a soft
  /// link; `external` must outlive the list's use.
  static func govern(
    _ list: borrowing Handle, by external: ExternalFiles, on label: String
  ) throws(HDF5Error) {
    let context = Unmanaged.passUnretained(external).toOpaque()
    try HDF5Library.call("H5Pset_elink_cb", on: label) { [id = list.id] in
      H5Pset_elink_cb(
        id,
        { parent, group, child, _, _, _, context in
          guard let context, let parent, let child else { return -1 }
          let external = Unmanaged<ExternalFiles>.fromOpaque(context).takeUnretainedValue()
          let (file, name) = (String(cString: parent), String(cString: child))
          let label = "\(file):\(group.map { String(cString: $0) } ?? "")"
          do throws(HDF5Error) {
            guard external.isFollowed else {
              throw HDF5Error(
                .external("an external link to '\(name)'"), operation: "H5Oopen", object: label,
                "external links are not followed")
            }
            try external.follow(name, from: file, on: label, requiresHDF5: true)
            return 0
          } catch {
            external.refusal = error
            return -1
          }
        }, context)
    }
  }

  /// A call that goes along links: where one was not followed, the error says which.
  @discardableResult func follow<R: BinaryInteger & Sendable>(
    _ operation: String, on object: String, _ body: () -> R
  ) throws(HDF5Error) -> R {
    external.refusal = nil
    do throws(HDF5Error) { return try HDF5Library.call(operation, on: object, body) } catch {
      throw external.refusal ?? error
    }
  }

  /// ``follow(_:on:_:)`` to an object, attribute or group.
  func open(_ operation: String, on object: String, _ body: () -> hid_t) throws(HDF5Error) -> Handle {
    external.refusal = nil
    do throws(HDF5Error) { return try Handle(operation, on: object, body) } catch {
      throw external.refusal ?? error
    }
  }

  /// What stands under a name, without following it; nil where nothing does.
  /// - Parameter name: A path whose parents are groups.
  public func link(_ name: String) throws(HDF5Error) -> HDF5Link? {
    let (id, label) = (handle.id, label(name))
    let exists = try follow("H5Lexists", on: label) { [links = links.id] in H5Lexists(id, name, links) }
    guard exists > 0 else { return nil }
    var info = H5L_info_t()
    try follow("H5Lget_info", on: label) { [links = links.id] in H5Lget_info(id, name, &info, links) }
    switch info.type {
    case H5L_TYPE_HARD: return .hard
    case H5L_TYPE_SOFT: return .soft(Self.text(try linkValue(name, info.u.val_size, on: label)))
    case H5L_TYPE_EXTERNAL:
      let value = try linkValue(name, info.u.val_size, on: label)
      // A byte of flags, the file and the object, each ended by NUL.
      let parts = value.dropFirst().split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count >= 2 else { return .other }
      return .external(file: Self.text(parts[0]), object: Self.text(parts[1]))
    default: return .other
    }
  }

  private func linkValue(_ name: String, _ size: Int, on label: String) throws(HDF5Error) -> [UInt8] {
    var value = [UInt8](repeating: 0, count: size)
    try follow("H5Lget_val", on: label) { [id = handle.id, links = links.id] in
      H5Lget_val(id, name, &value, size, links)
    }
    return value
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
