import DepthCore
import DepthDataset
import DepthImport
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

/// Folders laid out as ARKitScenes', with what each file must hold.
@Suite struct ARKitScenesTests {
  private static func grey(_ value: UInt16) -> [UInt8] {
    MadePNG.grey16(8, 6, [UInt16](repeating: value, count: 48))
  }
  private static func levels() -> [UInt8] { MadePNG.grey8(8, 6, (0..<48).map { UInt8($0 % 3) }) }
  private static func picture() -> [UInt8] { MadePNG.rgb(8, 6, [UInt8](repeating: 5, count: 144)) }

  @Test func upsamplingHasTruthThatWasSelected() throws {
    let files = try MadeFolder()
    defer { withExtendedLifetime(files) {} }
    for (index, time) in ["10.100", "10.200", "10.300"].enumerated() {
      files.add("lowres_depth/4102_\(time).png", Self.grey(UInt16(1000 + index)))
      files.add("confidence/4102_\(time).png", Self.levels())
      files.add(
        "highres_depth/4102_\(time).png", MadePNG.grey16(16, 12, [UInt16](repeating: 990, count: 192)))
      files.add("wide/4102_\(time).png", MadePNG.rgb(16, 12, [UInt8](repeating: 5, count: 576)))
      files.add("wide_intrinsics/4102_\(time).pincam", "16 12 20 20 7.5 \(index == 2 ? "6" : "5.5")\n")
    }
    let recording = try FolderRecording(try files.asFolder("4102"))
    #expect(recording.format == "arkitscenes-upsampling")
    let scene = recording.scenes[0]
    #expect(scene.frameCount == 3 && scene.truthIndependence == .selected && !scene.hasPoses)
    #expect(scene.truthSize == RasterSize(width: 16, height: 12) && scene.hasConfidence)
    let times = try #require(scene.timestampsSeconds)
    #expect(abs(times[2] - 0.2) < 1e-9)
    let frame = try recording.frame(2, of: scene, including: .all)
    #expect(frame.lidar.values[0] == 1.002 && frame.truth?.values[0] == 0.99 && frame.image != nil)
    #expect(
      frame.intrinsics
        == CameraIntrinsics(fx: 20, fy: 20, cx: 8, cy: 6.5, imageSize: RasterSize(width: 16, height: 12)))
    // What it means is stored with the data, and read back.
    let folder = try TemporaryFolder()
    var writer = try DatasetWriter(creating: folder.path("out.h5"), attributes: DatasetAttributes())
    try writer.addScene(scene)
    for index in 0..<3 {
      try writer.write(try recording.frame(index, of: scene, including: .all), to: scene.name)
    }
    try writer.commit()
    #expect(try DatasetReader(readingFrom: folder.path("out.h5")).scenes[0].truthIndependence == .selected)
  }

  /// A camera at (0, −2, 1) that looks along the world's y, z up, written world to camera.
  private static func made(inFrames: Bool, annotation: String?) throws -> MadeFolder {
    let files = try MadeFolder()
    let below = inFrames ? "4102_frames/" : ""
    for time in ["10.100", "10.117", "10.200"] {
      files.add(below + "lowres_depth/4102_\(time).png", grey(2000))
      files.add(below + "confidence/4102_\(time).png", levels())
      files.add(below + "lowres_wide/4102_\(time).png", picture())
    }
    // Times of one frame may differ by a millisecond.
    for time in ["10.101", "10.117", "10.199"] {
      files.add(below + "lowres_wide_intrinsics/4102_\(time).pincam", "8 6 6 6 3.5 2.5\n")
    }
    // x right = world x, y down = −world z, z ahead = world y: a quarter about x.
    files.add(
      below + "lowres_wide.traj",
      "10.1002 1.5707963267948966 0 0 0 1 2\n10.2 1.5707963267948966 0 0 0 1 1.9\n")
    if let annotation { files.add("4102_3dod_annotation.json", annotation) }
    return files
  }

  private static let annotation = """
    {"skipped": false, "data": [
      {"label": "table", "segments": {"obbAligned": {"centroid": [0.1, 1, 1], "axesLengths": [0.6, 0.4, 1.2],
        "normalizedAxes": [0.8, 0.6, 0, -0.6, 0.8, 0, 0, 0, 1]}}},
      {"label": "chair", "segments": {"obbAligned": {"centroid": [0, -9, 1], "axesLengths": [1, 1, 1],
        "normalizedAxes": [1, 0, 0, 0, 1, 0, 0, 0, 1]}}},
      {"label": "shelf", "segments": {"obbAligned": {"centroid": [0, 1, 1], "axesLengths": [1, 1, 1],
        "normalizedAxes": [1, 0, 0, 0, 0.7, 0.7, 0, -0.7, 0.7]}}}]}
    """

  @Test(arguments: [false, true]) func posesAreThoseOfTheSameTimeInverted(_ inFrames: Bool) throws {
    let made = try Self.made(inFrames: inFrames, annotation: nil)
    defer { withExtendedLifetime(made) {} }
    let recording = try FolderRecording(try made.asFolder("4102"))
    #expect(recording.format == "arkitscenes")
    let scene = recording.scenes[0]
    #expect(scene.frameCount == 3 && scene.upAxis == .z && scene.cameraConvention == .opencv)
    let first = try #require(try recording.frame(0, of: scene, including: .all).worldFromCamera)
    #expect(
      zip3(first.translation, [0, -2, 1]) && zip3(first.zAxis, [0, 1, 0]) && zip3(first.yAxis, [0, 0, -1]))
    // 17 ms from the next pose: it has none, and none is made up.
    #expect(try recording.frame(1, of: scene, including: .all).worldFromCamera == nil)
    #expect(try recording.frame(2, of: scene, including: .all).worldFromCamera != nil)
    #expect(recording.objects(of: scene, includingMasks: true) == nil)
  }

  private func zip3(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Bool {
    (a - b).max() < 1e-9 && (b - a).max() < 1e-9
  }

  @Test func boxesAreDetectionsOfTheFramesThatSeeThem() throws {
    let made = try Self.made(inFrames: true, annotation: Self.annotation)
    defer { withExtendedLifetime(made) {} }
    let recording = try FolderRecording(try made.asFolder("4102"))
    let scene = recording.scenes[0]
    let objects = try #require(recording.objects(of: scene, includingMasks: true)).objects
    // The chair stands behind the camera; the shelf leans.
    #expect(objects.map(\.label) == ["table", "table"] && objects.map(\.frame) == [0, 2])
    let record = try #require(scene.importRecord)
    #expect(
      record.entries.contains {
        $0.step == .dropped && $0.subject == "box 'shelf'" && $0.words == "it does not stand upright"
      })
    let box = try #require(objects[0].truth)
    #expect(box.size == [0.6, 1.2, 0.4] && box.center == [0.1, 1, 1])
    // Its length axis points at (cos θ, −sin θ, 0) = (0.8, 0.6, 0).
    #expect(abs(cos(box.yaw) - 0.8) < 1e-9 && abs(sin(box.yaw) + 0.6) < 1e-9)
    // Corners by hand: centre ± 0.3·(0.8, 0.6) ± 0.2·(−0.6, 0.8), 3 m ahead, ±0.6 m high.
    var (low, high) = (Double.infinity, -Double.infinity)
    for (a, b) in [(-1.0, -1.0), (-1, 1), (1, -1), (1, 1)] {
      let x = 0.1 + a * 0.3 * 0.8 - b * 0.2 * 0.6
      let y = 1 + a * 0.3 * 0.6 + b * 0.2 * 0.8 + 2
      (low, high) = (min(low, 4 + 6 * x / y), max(high, 4 + 6 * x / y))
    }
    #expect(abs(Double(objects[0].box.minX) - low) < 1e-5 && abs(Double(objects[0].box.maxX) - high) < 1e-5)
  }

  @Test func aSceneThatNobodyLabelledHasNoBoxes() throws {
    let made = try Self.made(inFrames: true, annotation: "{\"skipped\": true, \"data\": []}")
    defer { withExtendedLifetime(made) {} }
    let recording = try FolderRecording(try made.asFolder("4102"))
    #expect(recording.objects(of: recording.scenes[0], includingMasks: true) == nil)
    let entries = try #require(recording.scenes[0].importRecord).entries
    #expect(entries.contains { $0.step == .absent && $0.words == "this scene has no annotations" })
  }
}
