import DepthCore
import DepthDataset
import FathomMapFiles
import FathomTestSupport
import Testing

@testable import DepthImport

/// Cameras and poses that stand in files of their own.
@Suite struct RecordedNumbersTests {
  @Test("a file of JSON that a user names is read by its names")
  func jsonIntrinsics() throws {
    var options = ImportOptions()
    options.intrinsics = "/camera.json"
    let mapping = try MappingFile.mapping("match: {by: number}\ndepth: {files: ['*'], unit: m}\n", named: "a")
    #expect(try options.applied(to: mapping).intrinsics?.layout == .counted)
  }

  @Test("a recording's poses and intrinsics may be arrays of numpy, with the numbers of the text")
  func arraysInARecording() throws {
    let made = try MadeRecording(frames: 2)
    defer { withExtendedLifetime(made) {} }
    let plain = try made.open()
    try made.write(
      MadeNumpy.array([1600, 0, 960, 0, 1600, 720, 0, 0, 1] as [Float], "3, 3"), to: "camera_matrix.csv")
    let other = try made.open()
    let k = try plain.frame(1, of: plain.scenes[0], including: .all).intrinsics
    #expect(k != nil)
    #expect(try other.frame(1, of: other.scenes[0], including: .all).intrinsics == k)
    try made.write(
      MadeNumpy.array([0, 1.5, -2, 0, 0, 0, 1, 0.5, 1.5, -2, 0, 0, 0, 1] as [Float], "2, 7"), to: "poses.npy")
    let mapping = """
      name: own
      match: {by: number}
      depth: {files: ["depth/*.png"], unit: mm}
      poses: {file: poses.npy, layout: table, columns: counted, direction: camera-to-world, axes: opencv, up: y}
      """
    let moved = try FolderRecording(
      made.path, as: .mapping(try MappingFile.mapping(mapping, named: "own.yaml")), ImportOptions())
    let pose = try moved.frame(1, of: moved.scenes[0], including: .all).worldFromCamera
    #expect(pose?.translation == [0.5, 1.5, -2])
  }
}
