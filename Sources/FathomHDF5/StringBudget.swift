internal import CFathomHDF5
private import Glibc

/// Bytes that texts of any length may take when they are read. HDF5 asks for memory text by text: what is too long, or
/// more than the file can hold, is refused before it is copied.
struct StringBudget {
  /// Of each text, without the NUL that ends it.
  let longest: Int
  /// Of all of them that are still to come.
  private(set) var rest: Int
  /// What was asked for and not given.
  private(set) var refused: Int?
  /// - Parameter total: Of all texts together.
  init(longest: Int, total: Int) { (self.longest, rest) = (longest, total) }

  /// Memory of so many bytes, from `malloc`; nil where the budget does not allow it.
  mutating func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
    guard size <= longest + 1, size <= rest else {
      refused = size - 1
      return nil
    }
    rest -= size
    return malloc(max(1, size))
  }

  /// Calls `body` with a property list for reading under this budget; afterwards the budget says what was refused.
  mutating func govern<Result: ~Copyable>(
    on label: String, _ body: (hid_t) throws(HDF5Error) -> Result
  ) throws(HDF5Error) -> Result {
    let transfer = try Handle("H5Pcreate", on: label) { H5Pcreate(chdf5_dataset_transfer()) }
    return try withUnsafeMutablePointer(to: &self) { budget throws(HDF5Error) in
      try HDF5Library.call("H5Pset_vlen_mem_manager", on: label) { [id = transfer.id] in
        H5Pset_vlen_mem_manager(
          id, { size, budget in budget?.assumingMemoryBound(to: StringBudget.self).pointee.allocate(size) },
          budget, { memory, _ in free(memory) }, nil)
      }
      return try body(transfer.id)
    }
  }
}
