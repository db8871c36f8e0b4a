import DepthCore
import DepthDataset
import Foundation
import FathomHDF5
import FathomStorage
import FathomTestSupport
import Testing

@Suite("A detector's raw output")
struct DetectorReadingTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test("half and single precision of h5py", .enabled(if: Python.path != nil, Python.comment))
  func interop() throws {
    try Python.run([Python.script("write_dataset.py"), folder.url.path])
    let reader = try DatasetReader(readingFrom: folder.path("all.h5"))
    let scene = try #require(reader.scenes.first)
    #expect(
      scene.detector
        == DetectorHead(
          classCount: 2, coefficientCount: 2, anchorCount: 5,
          prototypeSize: RasterSize(width: 4, height: 3), inputSize: RasterSize(width: 640, height: 480)))
    for index in 0..<3 {
      let output = try #require(try reader.detectorOutput(frame: index, of: scene))
      #expect(output.predictions == (0..<40).map { Float(index * 40 + $0) * 0.5 })
      #expect(output.prototypes == (0..<24).map { Float(index * 24 + $0 - 30) })
      #expect(output.value(row: 2, anchor: 3) == Float(index * 40 + 13) * 0.5)
    }
    let error = try #require(throws: FathomError.self) {
      _ = try reader.detectorOutput(frame: 3, of: scene)
    }
    #expect(error.kind == .badData && error.reason == "it has 3 frames")
  }

  @Test("what is written here is read back, one frame at a time; one number is a square input")
  func roundTrip() throws {
    let path = folder.path("square.h5")
    let values = (0..<36).map { Float($0) / 8 }
    try SchemaFile.write(path) {
      try $0.add("detector/predictions", [2, 6, 3], values, attributes: [("input_size", .integer(64))])
      try $0.add("detector/prototypes", [2, 1, 2, 2], Array(values.prefix(8)))
    }
    let reader = try DatasetReader(readingFrom: path)
    let head = try #require(reader.scenes[0].detector)
    #expect(head.inputSize == RasterSize(width: 64, height: 64) && head.classCount == 1)
    let output = try #require(try reader.detectorOutput(frame: 1, of: reader.scenes[0]))
    #expect(output.predictions == Array(values[18...]) && output.prototypes == Array(values[4..<8]))
  }

  @Test("class names are read, and must be as many as classes")
  func classNames() throws {
    func write(_ names: [String]) throws -> String {
      let path = folder.path("names-\(names.count).h5")
      try SchemaFile.write(path) {
        try $0.add(
          "detector/predictions", [2, 7, 1], [Float](repeating: 0, count: 14),
          attributes: [
            ("input_size", .integer(64)),
            ("class_names", HDF5Attribute(shape: [names.count], elements: .strings(names))),
          ])
        try $0.add("detector/prototypes", [2, 1, 1, 1], [Float(1), 2])
      }
      return path
    }
    let reader = try DatasetReader(readingFrom: write(["cup", "Stuhl"]))
    #expect(reader.scenes[0].detector?.classNames == ["cup", "Stuhl"])
    let path = try write(["cup"])
    let error = try #require(throws: FathomError.self) { _ = try DatasetReader(readingFrom: path) }
    #expect(error.reason == "its attribute class_names is ['cup']" && error.advice.contains("2 texts"))
  }

  @Test("what is missing is said, and the head is then absent")
  func incomplete() throws {
    let path = folder.path("incomplete.h5")
    let values = [Float](repeating: 0, count: 12)
    try SchemaFile.write(path) { try $0.add("detector/predictions", [2, 6, 1], values) }
    let alone = try DatasetReader(readingFrom: path)
    #expect(alone.issues.map(\.object) == ["scenes/room/detector"])
    #expect(try alone.detectorOutput(frame: 0, of: alone.scenes[0]) == nil)

    let silent = folder.path("silent.h5")
    try SchemaFile.write(silent) {
      try $0.add("detector/predictions", [2, 6, 1], values)
      try $0.add("detector/prototypes", [2, 1, 1, 1], [Float(1), 2])
    }
    let reader = try DatasetReader(readingFrom: silent)
    #expect(reader.scenes[0].detector == nil)
    #expect(
      reader.issues.map(\.problem) == [
        "its input_size is not declared, so its boxes have no place in the image"
      ])
  }

  @Test("rows without a class and a senseless input size are errors")
  func broken() throws {
    for (rows, size, problem) in [
      (5, 64, "its 5 rows leave no class score beside 4 box numbers and 1 coefficients"),
      (6, 0, "its attribute input_size is 0"),
    ] {
      let path = folder.path("broken-\(rows).h5")
      try SchemaFile.write(path) {
        try $0.add(
          "detector/predictions", [2, rows, 1], [Float](repeating: 0, count: 2 * rows),
          attributes: [("input_size", .integer(size))])
        try $0.add("detector/prototypes", [2, 1, 1, 1], [Float(1), 2])
      }
      let error = try #require(throws: FathomError.self) { _ = try DatasetReader(readingFrom: path) }
      #expect(error.kind == .badData && error.reason == problem)
    }
  }
}
