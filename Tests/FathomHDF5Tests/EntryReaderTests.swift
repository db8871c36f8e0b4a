import Foundation
import FathomHDF5
import FathomTestSupport
import Testing

/// What the reader takes as it is stored, against what the library reads.
@Suite struct EntryReaderTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  struct Case: Sendable, CustomTestStringConvertible {
    var shape: [Int]
    var chunk: [Int]?
    var compression = 4
    var testDescription: String { "\(shape) in \(chunk ?? []), level \(compression)" }
  }

  static let cases = [
    Case(shape: [5, 48, 64], chunk: [1, 48, 64]), Case(shape: [5, 48, 64], chunk: [1, 20, 24]),
    Case(shape: [5, 48, 64], chunk: [2, 48, 64]), Case(shape: [7, 48, 64], chunk: [3, 13, 64]),
    Case(shape: [4, 33, 21, 3], chunk: [1, 16, 21, 2]), Case(shape: [9, 512], chunk: [4, 100]),
    Case(shape: [3000], chunk: [700]), Case(shape: [5, 48, 64], chunk: [1, 48, 64], compression: 0),
    Case(shape: [5, 48, 64], chunk: [1, 1, 3]), Case(shape: [5, 48, 64], chunk: nil, compression: 0),
    Case(shape: [2, 1, 1], chunk: [1, 1, 1]),
    // The last two entries take as many bytes as a chunk of four halves.
    Case(shape: [6, 48, 64], chunk: [4, 24, 64]),
    Case(shape: [6, 48, 64], chunk: [4, 24, 64], compression: 0),
    Case(shape: [5, 48, 64], chunk: [4, 48, 16]),
  ]

  @Test("every entry is what the library reads", arguments: cases)
  func agreesWithTheLibrary(_ this: Case) throws {
    func check<Element: HDF5Scalar & Equatable>(_ make: (Int) -> Element) throws {
      let path = folder.path("\(Element.scalarKind).h5")
      let file = try HDF5File(creating: path)
      let count = this.shape.reduce(1, *)
      let values = (0..<count).map(make)
      try file.createDataset(
        "v", shape: this.shape, of: Element.self, chunk: this.chunk, compression: this.compression
      ).write(values)
      // Where an entry is one chunk it is compressed here.
      let entries = try file.createDataset(
        "entries", shape: this.shape, of: Element.self, chunk: this.chunk, compression: this.compression)
      let size = count / this.shape[0]
      for index in (0..<this.shape[0]).suffix(40) {
        try entries.write(Array(values[index * size..<(index + 1) * size]), at: index)
      }
      try file.close()
      let reopened = try HDF5File(readingFrom: path)
      let dataset = try reopened.dataset("v")
      let written = try reopened.dataset("entries")
      for index in (0..<this.shape[0]).suffix(40) {
        #expect(try written.read(as: Element.self, at: index) == dataset.read(at: index))
      }
      let reader = try HDF5EntryReader(try reopened.dataset("v"))
      for index in [Int](0..<this.shape[0]).suffix(40) + [0, this.shape[0] / 2] {
        #expect(try reader.read(as: Element.self, at: index) == dataset.read(at: index))
        // Another type is converted by the library.
        #expect(try reader.read(as: Double.self, at: index) == dataset.read(at: index))
      }
    }
    try check { Float($0) * 0.37 - 5 }
    try check { Double($0) * -0.123_456_789 }
    try check { UInt16(truncatingIfNeeded: $0 &* 2_654_435_761) }
    try check { UInt8(truncatingIfNeeded: $0 / 7) }
  }

  @Test("of chunks that were never written the fill value is read")
  func unwritten() throws {
    let path = folder.path("holes.h5")
    let file = try HDF5File(creating: path)
    let dataset = try file.createDataset(
      "v", shape: [3, 40, 40], of: Float.self, chunk: [1, 40, 40], compression: 4)
    try dataset.write([Float](repeating: 2, count: 1600), at: 1)
    _ = consume dataset
    try file.close()
    let reopened = try HDF5File(readingFrom: path)
    let reader = try HDF5EntryReader(try reopened.dataset("v"))
    #expect(try reader.read(as: Float.self, at: 0) == [Float](repeating: 0, count: 1600))
    #expect(try reader.read(as: Float.self, at: 1) == [Float](repeating: 2, count: 1600))
  }

  @Test("damaged chunks give an error, as the library says it, and no numbers")
  func damaged() throws {
    let path = folder.path("damaged.h5")
    let file = try HDF5File(creating: path)
    try file.createDataset("v", shape: [2, 64, 64], of: Float.self, chunk: [1, 64, 64], compression: 4)
      .write((0..<8192).map { Float($0 * $0 % 977) })
    try file.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // Bytes within the second stream, at the end of the file.
    let place = bytes.count - 3000
    for offset in 0..<64 { bytes[place + offset] ^= 0x5a }
    try bytes.write(to: URL(fileURLWithPath: path))
    let reopened = try HDF5File(readingFrom: path)
    let reader = try HDF5EntryReader(try reopened.dataset("v"))
    let failures = (0..<2).compactMap { index -> HDF5Error.Cause? in
      do throws(HDF5Error) {
        _ = try reader.read(as: Float.self, at: index)
        return nil
      } catch { return error.cause }
    }
    #expect(failures == [.damagedData])
  }
}
