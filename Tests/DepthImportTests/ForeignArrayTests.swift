import DepthCore
import DepthDataset
import DepthImport
import Foundation
import FathomHDF5
import FathomStorage
import FathomTestSupport
import Testing

/// HDF5 files of other programs, by mappings.
@Suite struct ForeignArrayTests {
  private let folder: TemporaryFolder
  private static let (rows, columns, frames) = (24, 32, 3)

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path("rooms.h5") }

  private func mapping(_ text: String) throws -> RecordingMapping {
    try MappingFile.mapping(text, named: "test.yaml")
  }

  /// The number at a place of a frame.
  private static func number(_ frame: Int, _ row: Int, _ column: Int) -> UInt16 {
    UInt16(1000 * (frame + 1) + 10 * row + column)
  }

  /// A stack as MATLAB writes it: columns before rows.
  private func writeTurnedStack() throws {
    let file = try HDF5File(creating: path)
    var (numbers, colours) = ([UInt16](), [UInt8]())
    for frame in 0..<Self.frames {
      for column in 0..<Self.columns {
        for row in 0..<Self.rows { numbers.append(Self.number(frame, row, column)) }
      }
      for channel in 0..<3 {
        for column in 0..<Self.columns {
          for row in 0..<Self.rows { colours.append(UInt8(50 * channel + row + column + frame)) }
        }
      }
    }
    let shape = [Self.frames, Self.columns, Self.rows]
    try file.createDataset("rawDepths", shape: shape, of: UInt16.self).write(numbers)
    try file.createDataset("images", shape: [Self.frames, 3, Self.columns, Self.rows], of: UInt8.self).write(
      colours)
    try file.close()
  }

  private static let turned = """
    name: rooms
    match: {by: number}
    depth: {files: ["*.h5"], array: rawDepths, axes: [frame, width, height], scale: 0.001, offset: 0.5, invalid: [1000]}
    colour: {files: ["*.h5"], array: images, axes: [frame, channel, width, height]}
    intrinsics: {values: [30, 30, 15.5, 11.5], counted-from: centre, image-size: depth}
    """

  @Test func axesScaleOffsetAndInvalidNumbers() throws {
    try writeTurnedStack()
    let recording = try FolderRecording(path, as: .mapping(try mapping(Self.turned)))
    let scene = recording.scenes[0]
    #expect(
      scene.frameCount == Self.frames && scene.lidarSize == RasterSize(width: Self.columns, height: Self.rows)
    )
    #expect(scene.frameIDs == ["000000", "000001", "000002"] && scene.name == "rooms")
    let frame = try recording.frame(1, of: scene, including: .all)
    #expect(frame.lidar[5, 7] == Float(Double(Self.number(1, 5, 7)) / 1000 + 0.5))
    #expect(try recording.frame(0, of: scene).lidar[0, 0] == 0)
    let colour = try #require(frame.image)[5, 7]
    #expect((colour.red, colour.green, colour.blue) == (13, 63, 113))
    #expect(frame.intrinsics?.cx == 16)
    #expect(recording.sources.byteCount > 0)
  }

  /// A folder with a file for each frame, and groups for each frame in one file.
  @Test func filesAndGroupsOfFrames() throws {
    let wide = (0..<Self.rows * Self.columns).map { Float($0) / 100 + 1 }
    for frame in [2, 10] {
      try FileManager.default.createDirectory(atPath: folder.path("set"), withIntermediateDirectories: true)
      let file = try HDF5File(creating: folder.path("set/frame.\(frame).depth.hdf5"))
      try file.createDataset("dataset", shape: [Self.rows, Self.columns], of: Float.self).write(
        wide.map { $0 + Float(frame) })
      try file.close()
    }
    let each = try mapping(
      "{name: set, match: {by: number}, depth: {files: [\"frame.*.depth.hdf5\"], array: dataset, unit: m}}")
    let set = try FolderRecording(folder.path("set"), as: .mapping(each))
    #expect(set.scenes[0].frameIDs == ["2", "10"])
    #expect(try set.frame(1, of: set.scenes[0]).lidar[0, 0] == 11)

    let file = try HDF5File(creating: path)
    try file.createGroup("frames")
    for frame in [7, 11] {
      try file.createGroup("frames/f\(frame)")
      try file.createDataset("frames/f\(frame)/z", shape: [1, Self.rows, Self.columns], of: Float.self).write(
        wide.map { $0 + Float(frame) })
    }
    try file.close()
    let groups = try mapping(
      "{name: g, match: {by: number}, depth: {files: [\"*.h5\"], array: \"frames/f*/z\", axes: [single, height, width], unit: m}}"
    )
    let grouped = try FolderRecording(path, as: .mapping(groups))
    #expect(grouped.scenes[0].frameIDs == ["7", "11"])
    #expect(try grouped.frame(0, of: grouped.scenes[0]).lidar[0, 0] == 8)
  }

  @Test(arguments: [
    ("array: absent", "it has no array 'absent'"),
    ("array: rawDepths", "the mapping names 2 axes"),
    ("array: rawDepths, axes: [frame, height, wide]", "'axes' holds 'wide'"),
    ("array: rawDepths, axes: [frame, frame, height]", "once"),
    ("array: rawDepths, axes: [channel, height, width]", "a channel only where"),
    ("array: images, axes: [single, single, height, width]", "has at most 1 entries"),
    ("axes: [height, width]", "'array', which is missing"),
  ])
  func whatDoesNotFitIsSaid(_ keys: String, _ words: String) throws {
    try writeTurnedStack()
    let text = "{name: r, match: {by: number}, depth: {files: [\"*.h5\"], \(keys), unit: mm}}"
    let error = #expect(throws: FathomError.self) {
      _ = try FolderRecording(path, as: .mapping(try mapping(text)))
    }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func mapsOfEightBitsAreNoDepth() throws {
    let file = try HDF5File(creating: path)
    try file.createDataset("depth", shape: [Self.rows, Self.columns], of: UInt8.self).write(
      [UInt8](repeating: 9, count: Self.rows * Self.columns))
    try file.close()
    let eight = try mapping(
      "{name: r, match: {by: name}, depth: {files: [\"*.h5\"], array: depth, unit: mm}}")
    let error = #expect(throws: FathomError.self) { _ = try FolderRecording(path, as: .mapping(eight)) }
    #expect(error?.description.contains("unsigned integers of 8 bits") == true)
  }

  // MARK: Proposals

  /// What is proposed is a mapping, and reads the file.
  @Test func proposesByNamesShapesAndRanges() throws {
    let file = try HDF5File(creating: path)
    let (rows, columns) = (Self.rows, Self.columns)
    var depth = (0..<2 * rows * columns).map { Float($0 % 700) / 100 + 0.5 }
    depth[3] = 1e10
    try file.createDataset("depth", shape: [2, rows, columns], of: Float.self).write(depth)
    try file.createDataset("gt_depth", shape: [2, rows, columns], of: Float.self).write(depth)
    try file.createDataset("colors", shape: [2, rows, columns, 3], of: UInt8.self).write(
      [UInt8](repeating: 3, count: 6 * rows * columns))
    try file.createDataset("K", shape: [3, 3], of: Double.self).write([1, 0, 0, 0, 1, 0, 0, 0, 1])
    try file.close()
    let found = try ForeignInspection(of: path)
    #expect(found.arrays.map(\.name) == ["K", "colors", "depth", "gt_depth"])
    #expect(found.arrays.map(\.role) == [.intrinsics, .pictures, .depth, .truth])
    let text = try #require(found.mapping)
    let recording = try FolderRecording(path, as: .mapping(try mapping(text)))
    let scene = recording.scenes[0]
    #expect(
      scene.frameCount == 2 && scene.truthSize == scene.lidarSize && scene.colourSize == scene.lidarSize)
    let lidar = try recording.frame(0, of: scene).lidar
    #expect(lidar.values[0] == 0.5 && lidar.values[3] == 0)
  }

  @Test func filesWithoutDepthGetNoProposal() throws {
    let file = try HDF5File(creating: path)
    try file.createDataset("temperature", shape: [100, 100], of: Float.self).write(
      [Float](repeating: 20, count: 10_000))
    try file.createDataset("depths", shape: [7], of: Float.self).write([Float](repeating: 2, count: 7))
    try file.close()
    #expect(try ForeignInspection(of: path).mapping == nil)
  }
}
