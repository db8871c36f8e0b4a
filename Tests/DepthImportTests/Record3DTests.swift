import DepthCore
import DepthDataset
import DepthImport
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

/// Small recordings as Record3D stores them: upright, float metres packed with LZFSE.
@Suite struct Record3DTests {
  static let width = 3, height = 4

  static func metres(_ frame: Int) -> [Float] { (0..<12).map { 1 + Float($0) / 16 + Float(frame) } }

  /// A stored block, which is an LZFSE stream as good as any.
  static func packed(_ bytes: [UInt8]) -> [UInt8] {
    Array("bvx-".utf8) + [UInt8(bytes.count), 0, 0, 0] + bytes + Array("bvx$".utf8)
  }

  static func bytes(_ values: [Float]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
    }
  }

  /// - Parameter first: Quaternion of the first pose.
  static func metadata(_ first: String = "0.5, 0.5, 0.5, 0.5", each: Bool = true, size: Bool = true) -> String
  {
    """
    {"w": 30, "h": 40, "fps": 60, \(size ? "\"dw\": 3, \"dh\": 4," : "")
     "K": [50, 0, 0, 0, 50, 0, 14.5, 19.5, 1],
     \(each ? "\"perFrameIntrinsicCoeffs\": [[50, 50, 14.5, 19.5], [51, 51, 15.5, 20.5], [52, 52, 15, 20]]," : "")
     "poses": [[\(first), 0, 0, 0], [0, 0, 0, 1, 0.25, 0, 0], [0, 0, 0, 0, 0, 0, 0]],
     "frameTimestamps": [0, 0.5, 1], "cameraType": 1}
    """
  }

  static func made(_ metadata: String, frames: Int = 3) throws -> MadeFolder {
    let files = try MadeFolder()
    files.add("metadata", metadata)
    for frame in 0..<frames {
      let depth = bytes(metres(frame))
      // Some exports are not packed.
      files.add("rgbd/\(frame).depth", frame == 1 ? depth : packed(depth))
      files.add("rgbd/\(frame).conf", packed((0..<12).map { UInt8(($0 + frame) % 3) }))
      files.add("rgbd/\(frame).jpg", MadePNG.rgb(30, 40, [UInt8](repeating: 9, count: 3600)))
    }
    return files
  }

  @Test func itsOwnFileComesInWithDepthConfidencePosesAndIntrinsicsOfEachFrame() throws {
    let made = try Self.made(Self.metadata())
    defer { withExtendedLifetime(made) {} }
    let recording = try FolderRecording(try made.asZip("kitchen.r3d"))
    #expect(recording.format == "r3d")
    let scene = recording.scenes[0]
    #expect(scene.name == "kitchen" && scene.frameCount == 3 && scene.hasConfidence)
    #expect(
      scene.lidarSize == RasterSize(width: 3, height: 4)
        && scene.colourSize == RasterSize(width: 30, height: 40))
    #expect(scene.timestampsSeconds == [0, 0.5, 1] && scene.cameraConvention == .arkit && scene.upAxis == .y)
    for index in 0..<3 {
      let frame = try recording.frame(index, of: scene, including: .all)
      #expect(frame.lidar.values == Self.metres(index))
      #expect(frame.confidence?.values == (0..<12).map { UInt8(($0 + index) % 3) })
      #expect(frame.image != nil)
    }
    let second = try recording.frame(1, of: scene, including: .all)
    #expect(
      second.intrinsics
        == CameraIntrinsics(fx: 51, fy: 51, cx: 16, cy: 21, imageSize: RasterSize(width: 30, height: 40)))
    #expect(second.worldFromCamera?.translation == [0.25, 0, 0])
    // A pose of zeros is none; the frame stays.
    #expect(try recording.frame(2, of: scene, including: .all).worldFromCamera == nil)
  }

  @Test func oldFilesHaveOneCameraAndNoSizes() throws {
    let files = try MadeFolder()
    defer { withExtendedLifetime(files) {} }
    files.add("metadata", Self.metadata(each: false, size: false))
    files.add("rgbd/0.depth", Self.bytes([Float](repeating: 2, count: 192 * 256)))
    let recording = try FolderRecording(try files.asZip("old.r3d"))
    let scene = recording.scenes[0]
    #expect(scene.lidarSize == RasterSize(width: 192, height: 256) && !scene.hasConfidence)
    #expect(scene.intrinsics?.cx == 15)
    #expect(
      scene.importRecord?.entries.contains { $0.step == .assumed && $0.subject == "intrinsics" } == true)
  }

  @Test func posesThatCountFromTheFirstFrameDoNotSayWhereUpIs() throws {
    let made = try Self.made(Self.metadata("0, 0, 0, 1"))
    let record = try FolderRecording(try made.asZip("a.r3d")).scenes[0].importRecord
    #expect(
      record?.entries.contains { $0.subject == "up" && $0.words.contains("count from the first frame") }
        == true)
    let other = try Self.made(Self.metadata())
    defer { withExtendedLifetime((made, other)) {} }
    let gravity = try FolderRecording(try other.asZip("b.r3d")).scenes[0].importRecord
    #expect(gravity?.entries.contains { $0.subject == "up" } == false)
  }

  @Test func damagedFilesCostTheirFrames() throws {
    let files = try Self.made(Self.metadata())
    let broken = try MadeFolder()
    defer { withExtendedLifetime((files, broken)) {} }
    for (name, bytes) in files.entries {
      switch name {
      case "rgbd/0.depth": broken.add(name, Array(bytes.dropLast(9)))
      case "rgbd/2.conf": broken.add(name, Self.packed([1, 2, 0]))
      default: broken.add(name, bytes)
      }
    }
    let scene = try FolderRecording(try broken.asZip("a.r3d")).scenes[0]
    #expect(scene.frameIDs == ["1"])
    let words = scene.importRecord?.entries.filter { $0.step == .dropped }.map(\.words) ?? []
    #expect(words.contains("the LZFSE stream is cut short"))
    #expect(words.contains("it holds 3 bytes, and a map of 3×4 has 12"))
  }

  @Test func aFrameBeyondTheListsIsDropped() throws {
    let files = try Self.made(Self.metadata(), frames: 4)
    defer { withExtendedLifetime(files) {} }
    let scene = try FolderRecording(try files.asZip("a.r3d")).scenes[0]
    #expect(scene.frameIDs == ["0", "1", "2"])
    #expect(
      scene.importRecord?.entries.contains {
        $0.step == .dropped && $0.subject == "rgbd/3.depth"
          && $0.words == "'perFrameIntrinsicCoeffs' has no intrinsics of this frame"
      } == true)
  }

  @Test func withoutMetadataItIsNoRecording() throws {
    let files = try Self.made("{\"w\": 30, ")
    do {
      _ = try FolderRecording(try files.asZip("a.r3d"))
      Issue.record("half a JSON was read")
    } catch let error as FathomError {
      #expect(error.object == "metadata" && error.reason == "it is not JSON, or it is cut short")
    }
  }
}
