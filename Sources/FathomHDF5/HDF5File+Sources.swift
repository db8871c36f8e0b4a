internal import CFathomHDF5

extension HDF5File {
  /// Where the elements of a dataset lie in other files, or come from other datasets: refuses that, or makes sure that
  /// every one of them is a regular file and none leads back.
  func followSources(of dataset: borrowing Handle, _ name: String, on label: String) throws(HDF5Error) {
    var path: [String] = []
    try followSources(of: dataset, name, on: label, along: &path)
  }

  /// - Parameter path: The virtual datasets that have led here.
  private func followSources(
    of dataset: borrowing Handle, _ name: String, on label: String, along path: inout [String]
  ) throws(HDF5Error) {
    let creation = try Handle("H5Dget_create_plist", on: label) { [id = dataset.id] in H5Dget_create_plist(id)
    }
    let list = creation.id
    let storesElsewhere = try HDF5Library.call("H5Pget_external_count", on: label) {
      H5Pget_external_count(list)
    }
    if storesElsewhere > 0 { try followStorage(list, Int(storesElsewhere), on: label) }
    let layout = try HDF5Library.call("H5Pget_layout", on: label) { H5Pget_layout(list).rawValue }
    guard layout == H5D_VIRTUAL.rawValue else { return }
    guard external.isFollowed else {
      throw HDF5Error(
        .external("a virtual dataset, put together from others"), operation: "H5Dopen2", object: label,
        "virtual datasets are not followed")
    }
    let place = "\(identity.device):\(identity.inode):\(try self.identity(of: name).address)"
    guard !path.contains(place), path.count < Self.mostLevels else {
      throw HDF5Error(
        .selfReference, operation: "H5Dopen2", object: label, "it is put together from itself")
    }
    path.append(place)
    defer { path.removeLast() }
    var count = 0
    try HDF5Library.call("H5Pget_virtual_count", on: label) { H5Pget_virtual_count(list, &count) }
    var seen: Set<[String]> = []
    for index in 0..<count {
      let file = try Self.text(on: label) { H5Pget_virtual_filename(list, index, $0, $1) }
      let source = try Self.text(on: label) { H5Pget_virtual_dsetname(list, index, $0, $1) }
      guard seen.insert([file, source]).inserted else { continue }
      guard !file.contains("%"), !source.contains("%") else {
        throw HDF5Error(
          .external("a virtual dataset whose sources '\(file)' are a pattern"), operation: "H5Dopen2",
          object: label, "patterns are not followed")
      }
      if file == "." {
        try followSource(source, on: label, along: &path)
      } else {
        let found = try external.follow(file, from: self.path, on: label, requiresHDF5: true)
        let other = try HDF5File(readingFrom: found, sharing: external)
        try other.followSource(source, on: label, along: &path)
      }
    }
  }

  /// Virtual datasets of virtual datasets; more than this is a trap, not a data set.
  private static let mostLevels = 16

  /// One of the datasets that a virtual one is put together from.
  private func followSource(_ name: String, on label: String, along path: inout [String]) throws(HDF5Error) {
    guard try kind(of: name) == .dataset else {
      throw HDF5Error(
        .brokenLink("the dataset '\(name)' of '\(self.path)', which does not exist"), operation: "H5Dopen2",
        object: label, "a source is missing")
    }
    let dataset = try openDataset(name, on: label)
    try followSources(of: dataset, name, on: label, along: &path)
  }

  /// Files that hold nothing but the elements of a dataset.
  private func followStorage(_ list: hid_t, _ count: Int, on label: String) throws(HDF5Error) {
    for index in 0..<UInt32(clamping: count) {
      let name = try Self.text(on: label) { buffer, capacity in
        guard let buffer else { return Self.longestName }
        return Int(H5Pget_external(list, index, capacity, buffer, nil, nil)) < 0 ? -1 : Self.longestName
      }
      guard external.isFollowed else {
        throw HDF5Error(
          .external("a dataset whose numbers lie in the file '\(name)'"), operation: "H5Dopen2",
          object: label,
          "external storage is not followed")
      }
      try external.follow(name, from: nil, on: label, requiresHDF5: false)
    }
  }

  /// H5Pget_external does not say how long a name is; no path that can be opened is longer.
  private static let longestName = 4096

  /// A text of a property list, asked for twice: how long it is, and what.
  private static func text(
    on label: String, _ body: (UnsafeMutablePointer<CChar>?, Int) -> Int
  ) throws(HDF5Error) -> String {
    let length = try HDF5Library.call("H5Pget", on: label) { body(nil, 0) }
    var bytes = [CChar](repeating: 0, count: length + 1)
    try bytes.withUnsafeMutableBufferPointer { buffer throws(HDF5Error) in
      _ = try HDF5Library.call("H5Pget", on: label) { body(buffer.baseAddress, buffer.count) }
    }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
