internal import CFathomHDF5
private import Glibc

/// Strings, which HDF5 stores either in a fixed number of bytes or as pointers into a heap.
enum HDF5Text {
  /// UTF-8 of any length, ended by NUL.
  static func variableType(on object: String) throws(HDF5Error) -> Handle {
    let type = try Handle("H5Tcopy", on: object) { H5Tcopy(chdf5_c_string()) }
    try HDF5Library.call("H5Tset_size", on: object) { [id = type.id] in H5Tset_size(id, chdf5_variable()) }
    try HDF5Library.call("H5Tset_cset", on: object) { [id = type.id] in H5Tset_cset(id, H5T_CSET_UTF8) }
    return type
  }

  /// Reads `extents` strings of any storage.
  /// - Parameter stored: Type of the elements in the file; also used in memory, since HDF5 converts neither between
  ///   character sets nor between fixed and variable length.
  /// - Parameter longest: Bytes that one of them may have.
  /// - Parameter total: Bytes that they may have together.
  /// - Parameter read: The C call that fills the buffer it is given, under a property list.
  static func read(
    _ extents: [Int], of stored: borrowing Handle, longest: Int, total: Int = .max, _ operation: String,
    on object: String, _ read: (UnsafeMutableRawPointer, hid_t) -> herr_t
  ) throws(HDF5Error) -> [String] {
    switch try HDF5StoredType(of: stored, on: object) {
    case .string(bytes: nil):
      try readVariable(
        extents, of: stored, StringBudget(longest: longest, total: total), operation, on: object, read)
    case .string(bytes: let size?):
      if size > longest {
        throw tooLong(size, longest, operation, object)
      } else {
        try readFixed(extents, size, of: stored, operation, on: object, read)
      }
    case let other:
      throw HDF5Error(operation: operation, object: object, stack: ["the elements are \(other), not text"])
    }
  }

  /// Calls `body` with C copies of `strings`, which live as long as the call.
  static func withPointers(
    to strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws(HDF5Error) -> Void
  ) throws(HDF5Error) {
    let copies: [UnsafeMutablePointer<CChar>?] = strings.map { string in
      let bytes = Array(string.utf8CString)
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
      copy.initialize(from: bytes, count: bytes.count)
      return copy
    }
    defer { copies.forEach { $0?.deallocate() } }
    try body(copies)
  }

  private static func tooLong(
    _ size: Int, _ longest: Int, _ operation: String, _ object: String
  ) -> HDF5Error {
    HDF5Error(
      .tooLarge, operation: operation, object: object,
      size > longest
        ? "it holds a text of \(size) bytes; at most \(longest) are read"
        : "its texts together are longer than the file")
  }

  private static func readVariable(
    _ extents: [Int], of stored: borrowing Handle, _ budget: StringBudget, _ operation: String,
    on object: String, _ read: (UnsafeMutableRawPointer, hid_t) -> herr_t
  ) throws(HDF5Error) -> [String] {
    let count = try HDF5Shape.allocatable(
      extents, bytesEach: MemoryLayout<UnsafeMutablePointer<CChar>?>.stride, operation, on: object)
    if count == 0 { return [] }
    let buffer = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: count)
    buffer.initialize(repeating: nil, count: count)
    defer {
      for index in 0..<count { free(buffer[index]) }
      buffer.deallocate()
    }
    var budget = budget
    do throws(HDF5Error) {
      try budget.govern(on: object) { transfer throws(HDF5Error) in
        _ = try HDF5Library.call(operation, on: object) { read(buffer, transfer) }
      }
    } catch { throw budget.refused.map { tooLong($0, budget.longest, operation, object) } ?? error }
    return try (0..<count).map { index throws(HDF5Error) in
      guard let text = buffer[index] else { return "" }
      // An attribute is read without the budget.
      let length = strlen(text)
      if length > budget.longest { throw tooLong(length, budget.longest, operation, object) }
      return String(cString: text)
    }
  }

  private static func readFixed(
    _ extents: [Int], _ size: Int, of stored: borrowing Handle, _ operation: String, on object: String,
    _ read: (UnsafeMutableRawPointer, hid_t) -> herr_t
  ) throws(HDF5Error) -> [String] {
    let count = try HDF5Shape.allocatable(extents, bytesEach: size, operation, on: object)
    if count == 0 { return [] }
    var padding = H5T_STR_ERROR
    try HDF5Library.call("H5Tget_strpad", on: object) { [id = stored.id] in
      padding = H5Tget_strpad(id)
      return padding.rawValue
    }
    var bytes = [UInt8](repeating: 0, count: count * size)
    try bytes.withUnsafeMutableBufferPointer { buffer throws(HDF5Error) in
      guard let start = buffer.baseAddress else { return }
      try HDF5Library.call(operation, on: object) { read(start, chdf5_default_properties()) }
    }
    return stride(from: 0, to: bytes.count, by: size).map { start in
      var text = bytes[start..<start + size].prefix { $0 != 0 }
      if padding == H5T_STR_SPACEPAD {
        while text.last == UInt8(ascii: " ") { text.removeLast() }
      }
      return String(decoding: text, as: UTF8.self)
    }
  }
}

extension HDF5Dataset {
  /// All strings of a dataset of text, of fixed or variable length, row-major.
  /// - Parameter longest: Bytes that one of them may have.
  /// - Parameter total: Bytes that they may have together: the size of the file, whose heap holds each of them.
  /// - Throws: `HDF5Error` where the elements are not text; `cause` is `.tooLarge` where they are too long.
  public func readStrings(longest: Int = .max - 1, total: Int = .max) throws(HDF5Error) -> [String] {
    if isEmpty { return [] }
    try requireWholeChunks(from: nil, extents: shape)
    let id = handle.id
    let type = try Handle("H5Dget_type", on: label) { H5Dget_type(id) }
    return try HDF5Text.read(shape, of: type, longest: longest, total: total, "H5Dread", on: label) {
      [type = type.id] buffer, transfer in
      H5Dread(id, type, chdf5_whole_space(), chdf5_whole_space(), transfer, buffer)
    }
  }
}
