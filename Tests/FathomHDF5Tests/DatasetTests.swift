import FathomHDF5
import FathomTestSupport
import Testing

@Suite struct DatasetTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func aStackIsWrittenAndReadFrameByFrame() throws {
    let path = folder.path("stack.h5")
    let file = try HDF5File(creating: path)
    let written = try file.createDataset(
      "depth", shape: [3, 2, 4], of: Float.self, chunk: [1, 2, 4], compression: 4)
    for frame in 0..<3 { try written.write((0..<8).map { Float(frame * 10 + $0) + 0.5 }, at: frame) }
    _ = consume written
    try file.close()

    let reopened = try HDF5File(readingFrom: path)
    let depth = try reopened.dataset("depth")
    #expect(depth.shape == [3, 2, 4])
    #expect(depth.storedType == .float(bits: 32, bigEndian: false))
    #expect(try depth.read(as: Float.self, at: 2) == [20.5, 21.5, 22.5, 23.5, 24.5, 25.5, 26.5, 27.5])
    #expect(try depth.read(as: Int32.self, at: 1) == [10, 11, 12, 13, 14, 15, 16, 17])
    #expect(try depth.read(as: Double.self).count == 24)
    let storage = try depth.storage()
    #expect(storage.chunk == [1, 2, 4])
    #expect(storage.filters.map(\.number) == [2, 1])
    #expect(storage.filters.allSatisfy { $0.isAvailable })
  }

  @Test func everyNumberTypeSurvivesARoundTrip() throws {
    func check<Element: HDF5Scalar & Equatable>(_ values: [Element], _ type: HDF5StoredType) throws {
      let path = folder.path("\(Element.scalarKind).h5")
      let file = try HDF5File(creating: path)
      try file.createDataset("v", shape: [values.count], of: Element.self).write(values)
      try file.close()
      let dataset = try HDF5File(readingFrom: path).dataset("v")
      #expect(try dataset.read() == values)
      #expect(dataset.storedType == type)
    }
    try check([Float(1.25), -.infinity], .float(bits: 32, bigEndian: false))
    try check([1.1, -.greatestFiniteMagnitude], .float(bits: 64, bigEndian: false))
    try check([Int8.min, 7, .max], .integer(bits: 8, signed: true, bigEndian: false))
    try check([UInt8.min, 7, .max], .integer(bits: 8, signed: false, bigEndian: false))
    try check([Int16.min, 7, .max], .integer(bits: 16, signed: true, bigEndian: false))
    try check([UInt16.min, 7, .max], .integer(bits: 16, signed: false, bigEndian: false))
    try check([Int32.min, 7, .max], .integer(bits: 32, signed: true, bigEndian: false))
    try check([UInt32.min, 7, .max], .integer(bits: 32, signed: false, bigEndian: false))
    try check([Int64.min, 7, .max], .integer(bits: 64, signed: true, bigEndian: false))
    try check([UInt64.min, 7, .max], .integer(bits: 64, signed: false, bigEndian: false))
  }

  @Test func absurdExtentsAreRefusedBeforeMemoryIsTaken() throws {
    let path = folder.path("huge.h5")
    let file = try HDF5File(creating: path)
    _ = try file.createDataset(
      "huge", shape: [1_000_000, 1_000_000], of: Float.self, chunk: [1, 1024])
    try file.close()
    let huge = try HDF5File(readingFrom: path).dataset("huge")
    let error = try #require(throws: HDF5Error.self) { _ = try huge.read(as: UInt8.self) }
    #expect(error.cause == .tooLarge)
    #expect(error.object == "\(path):/huge")
    #expect(try huge.read(as: Float.self, at: 999_999).count == 1_000_000)  // one row is reasonable
  }

  @Test func textIsNotReadAsNumbersNorNumbersAsText() throws {
    let path = folder.path("text.h5")
    let file = try HDF5File(creating: path)
    try file.writeStrings(["Küche", "", "a\tb"], to: "names")
    try file.createDataset("numbers", shape: [1], of: Int32.self).write([Int32(5)])
    try file.close()
    let reopened = try HDF5File(readingFrom: path)
    #expect(try reopened.dataset("names").readStrings() == ["Küche", "", "a\tb"])
    let asNumbers = try #require(throws: HDF5Error.self) {
      _ = try reopened.dataset("names").read(as: Float.self)
    }
    #expect(asNumbers.stack == ["the elements are string, not numbers"])
    let asText = try #require(throws: HDF5Error.self) { _ = try reopened.dataset("numbers").readStrings() }
    #expect(asText.stack == ["the elements are int32, not text"])
  }

  @Test func filesOpenAtOnceInManyTasksDoNotDisturbEachOther() async throws {
    let paths = (0..<8).map { folder.path("task-\($0).h5") }
    let sums = try await withThrowingTaskGroup(of: Float.self) { group in
      for (number, path) in paths.enumerated() {
        group.addTask {
          let file = try HDF5File(creating: path)
          let dataset = try file.createDataset(
            "v", shape: [20, 64], of: Float.self, chunk: [1, 64], compression: 1)
          for row in 0..<20 { try dataset.write([Float](repeating: Float(number), count: 64), at: row) }
          #expect(throws: HDF5Error.self) { _ = try file.dataset("missing") }
          return try (0..<20).reduce(0) { try $0 + dataset.read(as: Float.self, at: $1).reduce(0, +) }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sums.sorted() == (0..<8).map { Float($0 * 20 * 64) })
  }
}
