import DepthCore
import DepthDataset
import DepthImport
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@Suite struct MappingTests {
  private func reason(_ text: String) -> String {
    do { _ = try MappingFile.mapping(text, named: "m.yaml") } catch { return error.reason }
    return "accepted"
  }

  @Test func everyPresetIsAMappingWithANameOfItsOwn() throws {
    let presets = try Preset.all()
    #expect(
      presets.map(\.mapping.name)
        == [
          "stray", "scanner3d", "tum", "seven-scenes", "redwood", "marigold-dc", "record3d", "r3d",
          "arkitscenes", "arkitscenes-upsampling", "nerfstudio", "instant-ngp", "nerfcapture", "polycam",
          "bop",
          "colmap", "nyu", "kitti-depth", "kitti-stereo", "diode", "ibims", "eth3d", "middlebury", "sintel",
          "replica",
          "lingbot", "sunrgbd", "moge",
          "tartanair", "tartanair-v2", "scannetpp", "hypersim", "vkitti2", "scannet", "ros", "frames",
          "folder",
        ])
    for preset in presets {
      #expect(preset.mapping.looksFor.isEmpty == (preset.mapping.name == "folder"))
      #expect(preset.mapping.title != preset.mapping.name)
    }
    #expect(throws: FathomError.self) { try Preset.named("strey") }
  }

  @Test func unknownKeysAreRefusedByName() {
    let base = "match: {by: number}\ndepth: {files: ['*.png'], unit: mm}\n"
    #expect(reason(base) == "accepted")
    #expect(reason(base + "posses: {}\n") == "it has the unknown key 'posses'; did you mean 'poses'?")
    #expect(
      reason("match: {by: number}\ndepth: {files: ['*.png'], units: mm}\n")
        == "'depth' has the unknown key 'units'; did you mean 'unit'?")
    #expect(reason("match: {by: number}\n") == "'depth' is missing")
    // Both faults of a truth at once.
    #expect(
      reason(base + "truth: {depth: {files: ['t/*'], units: mm}}\n")
        == "'truth.depth' has the unknown key 'units'; did you mean 'unit'?; 'truth.independence' is missing"
    )
    #expect(
      reason(base + "truth: {depth: {files: ['t/*'], unit: mm}}\n")
        == "'truth.independence' is missing")
    #expect(reason("match: {by: colour}\ndepth: {files: ['*.png']}\n").contains("'by' is 'colour'"))
    #expect(reason("match: {by: number, tolerance: 1}\ndepth: {files: ['*.png']}\n").contains("by: time"))
    #expect(reason("match: {by: number}\ndepth: {files: ['a'], unit: mm, scale: 1}\n").contains("exclude"))
    #expect(reason(base + "time: {json: t}\n").contains("frame-files"))
    #expect(reason(base + "time: poses\n").contains("there are none"))
    #expect(reason("[1, 2]").contains("it is not a table of keys and values"))
    #expect(
      reason(base + "poses: {file: a.txt, layout: table, direction: camera-to-world, axes: opengl, up: y}\n")
        .contains("'axes' is 'opengl'"))
  }

  @Test func aFolderOfNoFormatSaysWhatItHolds() throws {
    let folder = try TemporaryFolder()
    do {
      _ = try FolderRecording(folder.url.path)
      Issue.record("an empty folder was recognised")
    } catch {
      #expect(error.kind == .badData)
      #expect(error.reason == "the folder is empty")
    }
    do {
      _ = try FolderRecording(folder.path("absent"))
      Issue.record("a folder that does not exist was recognised")
    } catch { #expect(error.kind == .noInput) }
  }

  @Test func twoFormatsAtOnceAreBothListed() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    for name in ["info.json", "frame_00000.json"] { try made.write("{}", to: name) }
    try made.write(made.depth(0), to: "depth_00000.png")
    do {
      _ = try made.open()
      Issue.record("one of two formats was taken")
    } catch let error as FathomError {
      #expect(error.reason.contains("stray (") && error.reason.contains("scanner3d ("))
      #expect(error.advice == "fathom import --format says which")
    }
    #expect(try FolderRecording(made.path, as: .format("stray")).scenes[0].frameCount == 4)
  }

  @Test func foldersBelowBecomeScenes() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    // The folder around the recording.
    let outer = (made.path as NSString).deletingLastPathComponent
    let recording = try FolderRecording(outer)
    #expect(recording.scenes.map(\.name) == ["scan"])
    #expect(recording.evidence?.first == "scan/odometry.csv")
    #expect(try recording.frame(1, of: recording.scenes[0]).lidar.values[0] == 1.001)
  }

  /// Frames and pictures by time, poses by time, and none where the nearest is too far.
  @Test func timesMatchWithinTheToleranceAndNotBeyond() throws {
    let made = try MadeRecording(frames: 1)
    defer { withExtendedLifetime(made) {} }
    let root = made.path
    for (index, time) in ["10.000000", "10.100000", "10.200000"].enumerated() {
      try made.write(MadePNG.grey16(2, 1, [5000, UInt16(5000 * index + 2500)]), to: "t/depth/\(time).png")
    }
    for time in ["10.019", "10.085", "10.300"] {
      try made.write(MadePNG.rgb(2, 1, [1, 2, 3, 4, 5, 6]), to: "t/rgb/\(time).png")
    }
    try made.write(
      "# t\n10.001 1 0 0 0 0 0 1\n10.11 2 0 0 0 0 0 1\n10.25 3 0 0 0 0 0 1\n", to: "t/groundtruth.txt")
    let recording = try FolderRecording(root + "/t", as: .format("tum"))
    let scene = recording.scenes[0]
    #expect(scene.frameCount == 3 && scene.imageFrames == [0, 1])
    #expect(try recording.frame(0, of: scene).worldFromCamera?.translation.x == 1)
    #expect(try recording.frame(1, of: scene).worldFromCamera?.translation.x == 2)
    #expect(try recording.frame(2, of: scene).worldFromCamera == nil)
    #expect(try recording.frame(1, of: scene).lidar.values == [1, 1.5])
    // No camera has this folder's name, and none is guessed.
    #expect(scene.intrinsics == nil)
    let times = try #require(scene.timestampsSeconds)
    #expect(abs(times[2] - 0.2) < 1e-6)
  }

  @Test func confidenceOfOtherCodesIsConverted() throws {
    let made = try MadeRecording(frames: 2)
    defer { withExtendedLifetime(made) {} }
    let text = try Preset.named("stray").text.replacing("  code: 0/1/2\n", with: "")
    let mapping = try MappingFile.mapping(text, named: "m.yaml")
    let levels = [UInt8](repeating: 0, count: 45) + [127, 255, 0]
    try made.write(MadePNG.grey8(8, 6, [UInt8](repeating: 0, count: 48)), to: MadeRecording.confidenceName(0))
    try made.write(MadePNG.grey8(8, 6, levels), to: MadeRecording.confidenceName(1))
    let recording = try FolderRecording(made.path, as: .mapping(mapping))
    #expect(try recording.frame(1, of: recording.scenes[0]).confidence?.values.suffix(3) == [1, 2, 0])
    try made.write(MadePNG.grey8(8, 6, levels.map { $0 / 2 }), to: MadeRecording.confidenceName(1))
    do {
      _ = try FolderRecording(made.path, as: .mapping(mapping))
      Issue.record("0, 63 and 127 were read as levels")
    } catch { #expect(error.reason.contains("confidence is 0/1/2, 0/127/255 or 0/0.5/1")) }
  }

  @Test func lengthsOfRaysBecomePlanarDepth() throws {
    let made = try MadeRecording(frames: 1)
    defer { withExtendedLifetime(made) {} }
    let text = try Preset.named("stray").text.replacing(
      "  unit: mm\n", with: "  unit: mm\n  kind: distance\n")
    let recording = try FolderRecording(
      made.path, as: .mapping(try MappingFile.mapping(text, named: "m.yaml")))
    let frame = try recording.frame(0, of: recording.scenes[0])
    // The corner pixel of 8×6, seen by K of 1920×1440: 240 pixels of the video each.
    let (x, y) = ((120 - 960.5) / 1600, (120 - 720.5) / 1600)
    #expect(abs(Double(frame.lidar.values[0]) - 1 / (1 + x * x + y * y).squareRoot()) < 1e-6)
  }

  @Test func whatTheUserSaysComesFirst() throws {
    let made = try MadeRecording(frames: 2)
    defer { withExtendedLifetime(made) {} }
    var options = ImportOptions()
    (options.depthScale, options.invalid) = (0.0002, [1001])
    options.intrinsics = "100,100,4,3,8,6"
    try made.write("0 7 0 0 0 0 0 1\n1 8 0 0 0 0 0 1\n", to: "other.txt")
    options.poses = made.path + "/other.txt"
    let mapping = try MappingFile.mapping(
      try Preset.named("stray").text.replacing("columns: header", with: "columns: counted")
        .replacing("time: poses\n", with: ""), named: "m.yaml")
    let recording = try FolderRecording(made.path, as: .mapping(mapping), options)
    let scene = recording.scenes[0]
    #expect(scene.intrinsics?.cx == 4.5 && scene.intrinsics?.imageSize == RasterSize(width: 8, height: 6))
    let frame = try recording.frame(1, of: scene)
    #expect(frame.lidar.values[0] == 0 && frame.lidar.values[1] == 1011 / 5000)
    #expect(frame.worldFromCamera?.translation.x == 8)
    options.depthScale = -1
    #expect(throws: FathomError.self) { try FolderRecording(made.path, as: .mapping(mapping), options) }
  }

  @Test func aFolderOfOnesOwnNeedsAUnit() throws {
    let made = try MadeRecording(frames: 1)
    defer { withExtendedLifetime(made) {} }
    do {
      _ = try FolderRecording(made.path, as: .format("folder"))
      Issue.record("a unit was guessed")
    } catch {
      #expect(
        error.advice.contains("give depth-scale: ") && error.onCommandLine.contains("give --depth-scale: "))
    }
    var options = ImportOptions()
    options.depthScale = 0.001
    #expect(try FolderRecording(made.path, as: .format("folder"), options).scenes[0].lidarSize?.width == 8)
  }
}
