import DepthCore
import DepthDataset
import DepthImport
import FathomStorage
import FathomTestSupport
import Testing

@Suite struct StrayTests {
  @Test func aRecordingComesInAsItsAppWroteIt() throws {
    let made = try MadeRecording()
    let recording = try made.open()
    defer { withExtendedLifetime(made) {} }
    #expect(recording.format == "stray")
    #expect(recording.evidence == ["odometry.csv", "camera_matrix.csv", "depth/000000.png"])
    let scene = try #require(recording.scenes.first)
    #expect(scene.name == "scan" && scene.frameCount == 4)
    #expect(scene.frameIDs == ["000000", "000001", "000002", "000003"])
    #expect(scene.lidarSize == RasterSize(width: 8, height: 6) && scene.hasConfidence)
    #expect(scene.cameraConvention == .opencv && scene.upAxis == .y && scene.hasPoses)
    // ARKit counts from the centre of the first pixel.
    #expect(
      scene.intrinsics
        == CameraIntrinsics(
          fx: 1600, fy: 1600, cx: 960.5, cy: 720.5, imageSize: RasterSize(width: 1920, height: 1440)))
    let times = try #require(scene.timestampsSeconds)
    #expect(times[0] == 0 && abs(times[3] - 0.05) < 1e-9)
    let frame = try recording.frame(2, of: scene, including: .all)
    #expect(frame.lidar.values == MadeRecording.millimetres(2).map { Float(Double($0) / 1000) })
    #expect(frame.confidence?.values.prefix(4) == [2, 0, 1, 2])
    #expect(frame.worldFromCamera?.translation == [0.2, 1.5, -2])
    #expect(frame.image == nil)
    let steps = Set(try #require(scene.importRecord).entries.map(\.step))
    #expect(steps == [.declared, .converted, .assumed, .absent])
  }

  @Test func anOldOdometryHasNoFramesAndNoTimes() throws {
    let made = try MadeRecording(withTimes: false)
    let recording = try made.open()
    defer { withExtendedLifetime(made) {} }
    let scene = try #require(recording.scenes.first)
    #expect(scene.hasPoses && scene.timestampsSeconds == nil)
    #expect(try recording.frame(3, of: scene).worldFromCamera?.translation.x == 0.3)
  }

  @Test func gapsInTheNumbersShiftNoPose() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    try made.remove(MadeRecording.depthName(1))
    let recording = try made.open()
    let scene = try #require(recording.scenes.first)
    #expect(scene.frameIDs == ["000000", "000002", "000003"])
    #expect(try recording.frame(1, of: scene).worldFromCamera?.translation.x == 0.2)
    #expect(try recording.frame(1, of: scene).lidar.values[0] == 1.002)
  }

  @Test func everyNthFrameOfARangeIsTaken() throws {
    var options = ImportOptions()
    (options.every, options.lower, options.upper) = (2, 1, 6)
    let scene = try #require(try MadeRecording(frames: 8).open(options).scenes.first)
    #expect(scene.frameIDs == ["000001", "000003", "000005"])
    (options.lower, options.upper) = (20, nil)
    #expect(throws: FathomError.self) { try MadeRecording(frames: 8).open(options) }
  }

  @Test func arraysOfNumpyAreDepthToo() throws {
    let made = try MadeRecording(frames: 1)
    defer { withExtendedLifetime(made) {} }
    try made.remove(MadeRecording.depthName(0))
    let numbers = MadeRecording.millimetres(0).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    try made.write(
      MadeNumpy.array(numbers, "6, 8", type: "<u2"), to: "depth/000000.npy")
    let recording = try made.open()
    #expect(try recording.frame(0, of: recording.scenes[0]).lidar.values[1] == 1.01)
  }
}
