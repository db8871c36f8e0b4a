internal import CFathomHDF5
internal import CFathomKernels

/// Reads the entries of a dataset along its first axis: the frames of a stack, one after the other.
///
/// Compressed chunks are taken as they are stored, and decompressed here: twice as fast as by the library, and not under its lock.
/// Entries that share chunks are decompressed together and kept until an entry of others is wanted. Whatever is not as usual is read
/// by the library. Not Sendable: read where it was made.
public final class HDF5EntryReader {
  /// Bytes of entries that share chunks, at most: more are read one by one.
  public static let mostBlockBytes = 1 << 26
  private let dataset: HDF5Dataset, storage: HDF5Storage
  private let inflater = Inflater()
  private var stored = RawRoom(), inflated = RawRoom(), elements = RawRoom()
  /// The entries that were decompressed last, of whatever type.
  private var block: (entries: Range<Int>, values: any Sendable)?

  public init(_ dataset: consuming HDF5Dataset) throws(HDF5Error) {
    storage = try dataset.storage()
    self.dataset = dataset
  }

  /// Elements of an entry.
  /// - Throws: `HDF5Error` as ``HDF5Dataset/read(as:at:)``.
  /// - Precondition: The dataset has a first axis and `index` lies in it.
  public func read<Element: HDF5Scalar>(
    as type: Element.Type = Element.self, at index: Int
  ) throws(HDF5Error) -> [Element] {
    precondition(
      dataset.shape.first.map { (0..<$0).contains(index) } ?? false, "the entry lies in the first axis")
    let together = entriesTogether(Element.self)
    let count = HDF5Shape.count(dataset.shape.dropFirst()) ?? 0
    if together > 1, let block, block.entries.contains(index), let values = block.values as? [Element] {
      let start = (index - block.entries.lowerBound) * count
      return Array(values[start..<start + count])
    }
    let first = index / together * together
    let entries = first..<min(first + together, dataset.shape[0])
    let values: [Element]
    if let layout = try layout(Element.self), let found = decompressed(entries, layout, as: Element.self) {
      values = found
    } else {
      values = together > 1 ? try dataset.read(entries: entries) : try dataset.read(at: index)
    }
    guard together > 1 else { return values }
    block = (entries, values)
    let start = (index - first) * count
    return Array(values[start..<start + count])
  }

  /// Entries that share chunks; 1 where they are too large to be kept.
  private func entriesTogether<Element: HDF5Scalar>(_ type: Element.Type) -> Int {
    guard let first = storage.chunk?.first, first > 1, let entries = dataset.shape.first,
      let bytes = HDF5Shape.count(
        [min(first, entries)] + dataset.shape.dropFirst() + [MemoryLayout<Element>.stride]),
      bytes <= Self.mostBlockBytes
    else { return 1 }
    return min(first, entries)
  }

  private var layouts: [HDF5ScalarKind: ChunkLayout?] = [:]

  /// nil where the library has to read, or to convert.
  private func layout<Element: HDF5Scalar>(_ type: Element.Type) throws(HDF5Error) -> ChunkLayout? {
    if let known = layouts[Element.scalarKind] { return known }
    var layout: ChunkLayout?
    let bytes = MemoryLayout<Element>.stride
    if dataset.storedType.isNumeric, dataset.storedType.byteCount == bytes,
      try dataset.isStored(as: Element.scalarKind)
    {
      layout = ChunkLayout(storage, dataset.shape, elementBytes: bytes)
    }
    layouts[Element.scalarKind] = layout
    return layout
  }

  /// - Returns: nil where something is not as it should be: then the library has to say what.
  private func decompressed<Element: HDF5Scalar>(
    _ entries: Range<Int>, _ layout: ChunkLayout, as type: Element.Type
  ) -> [Element]? {
    guard entries.lowerBound % layout.chunk[0] == 0, entries.count <= layout.chunk[0] else { return nil }
    let count = entries.count * layout.entryBytes / layout.elementBytes
    var isComplete = true
    let values = [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
      let block = UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(buffer)[..<(count * layout.elementBytes)])
      for origin in layout.origins(ofBlockFrom: entries.lowerBound) {
        guard decompress(from: origin, layout, to: block, isWhole: layout.isWhole(entries: entries.count))
        else {
          isComplete = false
          return
        }
      }
      initialized = count
    }
    return isComplete ? values : nil
  }

  private func decompress(
    from origin: [Int], _ layout: ChunkLayout, to block: UnsafeMutableRawBufferPointer, isWhole: Bool
  ) -> Bool {
    guard let found = dataset.storedChunk(at: origin, atMost: layout.mostStoredBytes, to: &stored),
      found.skipped == 0
    else { return false }
    var chunk = UnsafeRawBufferPointer(stored.bytes(found.bytes))
    if layout.isDeflated {
      let room = isWhole && !layout.isShuffled ? block : inflated.bytes(layout.chunkBytes)
      guard inflater.inflate(chunk, to: room) else { return false }
      chunk = UnsafeRawBufferPointer(room)
    }
    guard chunk.count == layout.chunkBytes, let start = chunk.baseAddress, let target = block.baseAddress
    else { return false }
    if layout.isShuffled {
      let room = isWhole ? target : elements.bytes(layout.chunkBytes).baseAddress
      guard let room else { return false }
      shuffle_undo(
        start.assumingMemoryBound(to: UInt8.self), layout.chunkBytes / layout.elementBytes,
        layout.elementBytes, room.assumingMemoryBound(to: UInt8.self))
      if !isWhole { layout.place(room, from: origin, in: block) }
    } else if !isWhole {
      layout.place(start, from: origin, in: block)
    } else if start != UnsafeRawPointer(target) {
      target.copyMemory(from: start, byteCount: chunk.count)
    }
    return true
  }
}

/// Memory that is kept from chunk to chunk.
struct RawRoom: ~Copyable {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit { memory.deallocate() }

  /// So many bytes; what was there before is lost where they are more than ever before.
  mutating func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if memory.count < count {
      memory.deallocate()
      memory = .allocate(byteCount: count, alignment: 64)
    }
    return UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
  }
}

extension HDF5Dataset {
  /// Whether an element in the file is, bit for bit, one of memory.
  func isStored(as kind: HDF5ScalarKind) throws(HDF5Error) -> Bool {
    let id = handle.id
    let type = try Handle("H5Dget_type", on: label) { H5Dget_type(id) }
    return try HDF5Library.call("H5Tequal", on: label) { [type = type.id] in
      H5Tequal(type, kind.nativeType)
    } > 0
  }

  /// Takes a chunk as it is stored.
  /// - Parameter origin: The chunk's first element.
  /// - Returns: Its bytes, and a bit for each filter that it did not go through; nil where there is no such chunk, it has more than
  ///   `most` bytes, or it cannot be read.
  func storedChunk(
    at origin: [Int], atMost most: Int, to room: inout RawRoom
  ) -> (bytes: Int, skipped: UInt32)? {
    let (id, offset) = (handle.id, origin.map { hsize_t($0) })
    do throws(HDF5Error) {
      var size: hsize_t = 0
      try HDF5Library
        .call("H5Dget_chunk_storage_size", on: label) { H5Dget_chunk_storage_size(id, offset, &size) }
      guard size > 0, size <= hsize_t(most) else { return nil }
      let buffer = room.bytes(Int(size))
      var skipped: UInt32 = 0
      try HDF5Library.call("H5Dread_chunk", on: label) {
        H5Dread_chunk(id, chdf5_default_properties(), offset, &skipped, buffer.baseAddress)
      }
      return (Int(size), skipped)
    } catch { return nil }
  }
}
