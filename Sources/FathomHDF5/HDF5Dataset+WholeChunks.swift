internal import CFathomHDF5

extension HDF5Dataset {
  /// Refuses chunks that give fewer bytes than they have elements.
  ///
  /// HDF5 1.10 does not look at the length: what such a chunk lacks it fills with whatever lay in memory. Chunks of other filters than
  /// deflate, shuffle, fletcher32 and scaleoffset are left to it.
  /// - Parameter start: First index along every axis of what will be read; nil for all of it.
  /// - Parameter extents: Entries along every axis.
  /// - Throws: `HDF5Error` with the cause `.damagedData`.
  func requireWholeChunks(from start: [Int]?, extents: [Int]) throws(HDF5Error) {
    let storage = try storage()
    guard !storage.isElsewhere, !storage.filters.isEmpty, let chunk = storage.chunk,
      chunk.count == shape.count, chunk.allSatisfy({ $0 > 0 }), extents.allSatisfy({ $0 > 0 }),
      let bytes = HDF5Shape.count(chunk + [storedType.byteCount]), bytes <= HDF5EntryReader.mostBlockBytes
    else { return }
    let begin = start ?? extents.map { _ in 0 }
    let first = zip(begin, chunk).map { $0 / $1 * $1 }
    let inflater = Inflater()
    var stored = RawRoom(), inflated = RawRoom(), origin = first
    repeat {
      // A chunk that is not there is filled by rule, and one that cannot be read is named by the library.
      guard let found = storedChunk(at: origin, atMost: 2 * bytes + 4096, to: &stored) else { continue }
      let whole = UnsafeRawBufferPointer(stored.bytes(found.bytes))
      if storage.filters.map(\.number) == [6], found.skipped & 1 == 0 {
        let packed = Self.packedBytes(whole, elements: bytes / storedType.byteCount)
        guard found.bytes >= packed else { throw isShort(origin) }
        continue
      }
      guard let content = Self.content(storage.filters, skipped: found.skipped, of: bytes) else { continue }
      let start = whole.dropLast(content.checksum)
      let lacksElements =
        content.isDeflated
        ? inflater.isShort(UnsafeRawBufferPointer(rebasing: start), in: inflated.bytes(content.bytes))
        : start.count < content.bytes
      guard !lacksElements else { throw isShort(origin) }
    } while Self.advance(&origin, by: chunk, from: first, to: zip(begin, extents).map { $0 + $1 })
  }

  private func isShort(_ origin: [Int]) -> HDF5Error {
    HDF5Error(
      .damagedData, operation: "H5Dread", object: label,
      "the chunk at \(origin) holds less than its elements")
  }

  /// Bytes of a chunk that went through scaleoffset: a head of 21, whose first four say of how many bits an element is.
  private static func packedBytes(_ chunk: UnsafeRawBufferPointer, elements: Int) -> Int {
    let bits = chunk.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    return 21 + (elements * min(bits, 64) + 7) / 8
  }

  /// The next chunk's first element, the last axes fastest; false after the last one.
  private static func advance(_ origin: inout [Int], by chunk: [Int], from first: [Int], to end: [Int])
    -> Bool
  {
    for axis in origin.indices.reversed() {
      origin[axis] += chunk[axis]
      if origin[axis] < end[axis] { return true }
      origin[axis] = first[axis]
    }
    return false
  }

  /// What a chunk holds that went through these filters but the skipped ones, outermost first.
  /// - Returns: Bytes of checksum behind it, whether it is a deflated stream, and of how many bytes; nil for other filters.
  private static func content(
    _ filters: [HDF5Storage.Filter], skipped: UInt32, of bytes: Int
  ) -> (checksum: Int, isDeflated: Bool, bytes: Int)? {
    var content = (checksum: 0, isDeflated: false, bytes: bytes)
    for (index, filter) in filters.enumerated() where skipped >> UInt32(clamping: index) & 1 == 0 {
      switch filter.number {
      case 1 where !content.isDeflated: content = (0, true, content.bytes + content.checksum)
      case 2: continue
      case 3: content.checksum += 4
      default: return nil
      }
    }
    return content
  }
}
