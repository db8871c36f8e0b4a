import CFathomHDF5
import Foundation
import FathomTestSupport
import Testing

@testable import FathomHDF5

/// Bytes that changed in a chunk are noticed by deflate's Adler-32 and by HDF5's own fletcher32, whoever unpacks the chunk.
@Suite struct ChecksumTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  enum Filter: CaseIterable { case shuffle, deflate, fletcher32 }

  static let shape = [2, 24, 32]
  static let values = (0..<2 * 24 * 32).map { Float($0 % 251) }

  /// A dataset "v" with one chunk an entry, and these filters.
  private func write(_ path: String, _ filters: [Filter]) throws {
    let file = try HDF5File(creating: path)
    try file.close()
    let (extents, chunk) = (Self.shape.map { hsize_t($0) }, [hsize_t(1), 24, 32])
    try HDF5Library.call("H5Dcreate", on: path) { () -> herr_t in
      let file = H5Fopen(path, chdf5_read_write(), chdf5_default_properties())
      let list = H5Pcreate(chdf5_dataset_create())
      H5Pset_chunk(list, 3, chunk)
      for filter in filters {
        switch filter {
        case .shuffle: H5Pset_shuffle(list)
        case .deflate: H5Pset_deflate(list, 6)
        case .fletcher32: H5Pset_fletcher32(list)
        }
      }
      let space = H5Screate_simple(3, extents, nil)
      let dataset = H5Dcreate2(
        file, "v", chdf5_stored_float(), space, chdf5_default_properties(), list, chdf5_default_properties())
      let result = H5Dwrite(
        dataset, chdf5_native_float(), chdf5_whole_space(), chdf5_whole_space(), chdf5_default_properties(),
        Self.values)
      H5Dclose(dataset)
      H5Sclose(space)
      H5Pclose(list)
      H5Fclose(file)
      return result
    }
  }

  /// Both entries, by the reader that unpacks by itself.
  private func entries(_ path: String) throws -> [Float] {
    let file = try HDF5File(readingFrom: path)
    let reader = try HDF5EntryReader(try file.dataset("v"))
    return try reader.read(at: 0) + reader.read(at: 1)
  }

  @Test(
    "a changed byte of a chunk is refused",
    arguments: [[Filter.deflate], [.shuffle, .deflate], [.fletcher32], [.shuffle, .deflate, .fletcher32]])
  func flips(_ filters: [Filter]) throws {
    let path = folder.path("v.h5")
    try write(path, filters)
    #expect(try entries(path) == Self.values)
    var room = RawRoom()
    let stored: [UInt8] = try {
      let file = try HDF5File(readingFrom: path)
      let dataset = try file.dataset("v")
      let found = try #require(dataset.storedChunk(at: [1, 0, 0], atMost: 1 << 20, to: &room))
      return Array(room.bytes(found.bytes))
    }()
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let place = try #require(whole.firstRange(of: stored))
    var (tried, refused) = (0, 0)
    for index in stride(from: place.lowerBound, to: place.upperBound, by: max(1, stored.count / 200)) {
      var changed = whole
      changed[index] ^= 1 << (index % 8)
      try Data(changed).write(to: URL(fileURLWithPath: path))
      let found = try? entries(path)
      let byLibrary = try? HDF5File(readingFrom: path).dataset("v").read(as: Float.self)
      tried += 1
      refused += found == nil && byLibrary == nil ? 1 : 0
      // Some bits of a deflated stream mean nothing, as those that fill its last byte.
      #expect(found == nil || found == Self.values, "byte \(index)")
      #expect(byLibrary == nil || byLibrary == Self.values, "byte \(index), by the library")
    }
    #expect(Double(refused) > 0.9 * Double(tried))
  }

  @Test(
    "a chunk that holds less than its elements is refused, whether it skipped its filters or not",
    arguments: [[Filter.deflate], [.shuffle, .deflate], [.shuffle, .deflate, .fletcher32]], [false, true])
  func short(_ filters: [Filter], _ skipped: Bool) throws {
    let path = folder.path("v.h5")
    try write(path, filters)
    // Of an entry, sound in every other way: compressed from too few elements, or not compressed and too few.
    let few = [UInt8](repeating: 7, count: Self.shape[1] * Self.shape[2] * 4 - 8)
    let deflater = Deflater(level: 6)
    var room = RawRoom()
    let size = try #require(
      few.withUnsafeBytes { deflater.deflate($0, to: room.bytes(deflater.bound($0.count))) })
    let stream = [UInt8](room.bytes(size)) + (filters.contains(.fletcher32) ? [0, 0, 0, 0] : [])
    let chunk = skipped ? few : stream
    let mask = skipped ? UInt32.max : 0
    try HDF5Library.call("H5Dwrite_chunk", on: path) { () -> herr_t in
      let file = H5Fopen(path, chdf5_read_write(), chdf5_default_properties())
      let dataset = H5Dopen2(file, "v", chdf5_default_properties())
      let result = H5Dwrite_chunk(dataset, chdf5_default_properties(), mask, [1, 0, 0], chunk.count, chunk)
      H5Dclose(dataset)
      H5Fclose(file)
      return result
    }
    let file = try HDF5File(readingFrom: path)
    let dataset = try file.dataset("v")
    let reader = try HDF5EntryReader(try file.dataset("v"))
    #expect(try reader.read(as: Float.self, at: 0) == Array(Self.values.prefix(24 * 32)))
    #expect(try dataset.read(as: Double.self, at: 0) == Self.values.prefix(24 * 32).map(Double.init))
    func cause(_ read: () throws(HDF5Error) -> Void) -> HDF5Error.Cause? {
      do throws(HDF5Error) { try read() } catch { return error.cause }
      return nil
    }
    #expect(cause { () throws(HDF5Error) in _ = try reader.read(as: Float.self, at: 1) } == .damagedData)
    #expect(cause { () throws(HDF5Error) in _ = try dataset.read(as: Double.self, at: 1) } == .damagedData)
    #expect(cause { () throws(HDF5Error) in _ = try dataset.read(as: Float.self) } == .damagedData)
    #expect(
      cause { () throws(HDF5Error) in
        _ = try dataset.read(as: Float.self, from: [1, 3, 3], extents: [1, 2, 2])
      } == .damagedData)
  }
}
