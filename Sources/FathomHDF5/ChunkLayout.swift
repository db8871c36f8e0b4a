internal import CFathomHDF5

/// How the chunks of a dataset are stored, where this module can take them as they are and decompress them itself.
struct ChunkLayout: Sendable {
  /// Extents of a chunk and of the dataset, slowest-varying first.
  let chunk: [Int], shape: [Int]
  let elementBytes: Int
  /// Undone in this order.
  let isDeflated: Bool, isShuffled: Bool
  /// Bytes of a decompressed chunk.
  let chunkBytes: Int
  /// Bytes of an entry along the first axis.
  var entryBytes: Int { shape.dropFirst().reduce(elementBytes, *) }
  /// Most bytes that a compressed chunk can sensibly take: deflate adds five for each block that it cannot compress.
  var mostStoredBytes: Int { chunkBytes + chunkBytes / 8 + 4096 }
  /// Smaller chunks are left to the library, which finds them faster one by one.
  private static let leastChunkBytes = 1 << 10
  private static let deflate = 1, shuffle = 2

  /// - Returns: nil where anything is not as usual: the library reads such a dataset.
  init?(_ storage: HDF5Storage, _ shape: [Int], elementBytes: Int) {
    guard !storage.isElsewhere, let chunk = storage.chunk, chunk.count == shape.count, !shape.isEmpty,
      chunk.allSatisfy({ $0 > 0 }), shape.allSatisfy({ $0 > 0 }),
      let chunkBytes = HDF5Shape.count(chunk + [elementBytes]),
      let blockBytes = HDF5Shape.count([chunk[0]] + shape.dropFirst() + [elementBytes]),
      chunkBytes >= min(Self.leastChunkBytes, blockBytes), chunkBytes <= 4 * blockBytes,
      blockBytes <= HDF5EntryReader.mostBlockBytes
    else { return nil }
    switch storage.filters.map(\.number) {
    case []: (isDeflated, isShuffled) = (false, false)
    case [Self.deflate]: (isDeflated, isShuffled) = (true, false)
    case [Self.shuffle]: (isDeflated, isShuffled) = (false, true)
    case [Self.shuffle, Self.deflate]: (isDeflated, isShuffled) = (true, true)
    default: return nil
    }
    if let shuffle = storage.filters.first(where: { $0.number == Self.shuffle }),
      shuffle.parameters != [UInt32(elementBytes)]
    {
      return nil
    }
    (self.chunk, self.shape, self.elementBytes, self.chunkBytes) = (chunk, shape, elementBytes, chunkBytes)
  }

  /// Whether a chunk holds a block of so many entries, all of them, and nothing else: then no element has to be moved.
  ///
  /// Equal sizes are not enough: a chunk of four halves is as large as two wholes.
  func isWhole(entries: Int) -> Bool { chunk[0] == entries && chunk.dropFirst() == shape.dropFirst() }

  /// First elements of all chunks that hold a block of entries.
  func origins(ofBlockFrom entry: Int) -> [[Int]] {
    var origins = [[entry]]
    for axis in 1..<max(1, shape.count) {
      origins =
        origins
        .flatMap { origin in stride(from: 0, to: shape[axis], by: chunk[axis]).map { origin + [$0] } }
    }
    return origins
  }

  /// Puts a chunk's elements to their place among those of its block.
  /// - Parameter origin: The chunk's first element.
  /// - Parameter block: Room for ``chunk```[0]` entries, or as many as are left.
  func place(_ elements: UnsafeRawPointer, from origin: [Int], in block: UnsafeMutableRawBufferPointer) {
    guard let room = block.baseAddress else { return }
    let count = zip(zip(shape, origin), chunk).map { min($0.0 - $0.1, $1) }
    let last = shape.count - 1, rowBytes = count[last] * elementBytes
    var index = [Int](repeating: 0, count: shape.count)
    repeat {
      // The block begins at the chunk's own first entry.
      var (from, to) = (0, index[0])
      for axis in shape.indices {
        from = from * chunk[axis] + index[axis]
        if axis > 0 { to = to * shape[axis] + origin[axis] + index[axis] }
      }
      if last == 0 { to = index[0] }
      room.advanced(by: to * elementBytes)
        .copyMemory(from: elements.advanced(by: from * elementBytes), byteCount: rowBytes)
    } while Self.advance(&index, below: count, axes: last)
  }

  /// The next index, the last axes fastest; false after the last one.
  private static func advance(_ index: inout [Int], below count: [Int], axes: Int) -> Bool {
    for axis in (0..<axes).reversed() {
      index[axis] += 1
      if index[axis] < count[axis] { return true }
      index[axis] = 0
    }
    return false
  }
}
