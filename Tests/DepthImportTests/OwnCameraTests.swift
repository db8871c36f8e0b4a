import DepthCore
import DepthDataset
import DepthImport
import FathomStorage
import FathomTestSupport
import Foundation
import Testing

/// Recordings laid out as a public data set, by somebody whose camera is another one.
@Suite struct OwnCameraTests {
  /// Two frames of 7-Scenes' layout.
  private static func frames(_ width: Int, _ height: Int) throws -> MadeFolder {
    let files = try MadeFolder()
    let depth = [UInt16](repeating: 2000, count: width * height)
    for number in 0...1 {
      files.add("data/frame-00000\(number).depth.png", MadePNG.grey16(width, height, depth))
      files.add("data/frame-00000\(number).pose.txt", "1 0 0 \(number)\n0 1 0 0\n0 0 1 0\n0 0 0 1\n")
    }
    return files
  }

  @Test(
    "a user's camera is that of the size in whose middle its principal point lies, typed or in a file",
    arguments: [
      (RasterSize(width: 84, height: 48), "61 61.5 42.5 24.3", RasterSize(width: 84, height: 48)),
      (RasterSize(width: 32, height: 24), "30.6 30.5 16.3 11.7", RasterSize(width: 32, height: 24)),
      (RasterSize(width: 32, height: 24), "585 585 319.5 239.5", RasterSize(width: 640, height: 480)),
    ])
  func ofUser(depth: RasterSize, camera: String, size: RasterSize) throws {
    let files = try Self.frames(depth.width, depth.height)
    files.add("K.txt", camera)
    let path = try files.asFolder("own")
    for given in [path + "/K.txt", camera.replacing(" ", with: ",")] {
      var options = ImportOptions()
      options.intrinsics = given
      let scene = try FolderRecording(path + "/data", as: .recognised, options).scenes[0]
      #expect(scene.intrinsics?.imageSize == size, "\(given)")
    }
  }

  private func words(_ scene: SceneHeader, _ subject: String) -> [String] {
    (scene.importRecord?.entries ?? []).filter { $0.subject == subject }.map(\.words)
  }

  @Test(
    "of frames laid out as 7-Scenes, the camera that lies among them or one folder up comes first",
    arguments: ["data/camera-intrinsics.txt", "camera-intrinsics.txt"])
  func camera(name: String) throws {
    let files = try Self.frames(32, 24)
    files.add(name, "30.6 0 16.3\n0 30.5 11.7\n0 0 1\n")
    let path = try files.asFolder("fusion")
    for path in [path, path + "/data"] {
      let recording = try FolderRecording(path)
      let scene = recording.scenes[0]
      #expect(recording.format == "seven-scenes" && scene.intrinsics?.imageSize.width == 32)
      #expect(scene.intrinsics?.fx == 30.6 && scene.intrinsics?.cx == 16.8)
      #expect(words(scene, "intrinsics").allSatisfy { !$0.contains("585") })
      #expect(try RecordingRequest(path).opened().scenes[0].intrinsics?.fx == 30.6)
    }
    // A camera that is not read is named.
    let others = try Self.frames(32, 24)
    others.add("info.txt", "m_calibrationDepthIntrinsic = 30 0 16 0 0 30 12 0 0 0 1 0 0 0 0 1\n")
    others.add("split.txt", "sequence0 [frames=2]\n")
    let scene = try FolderRecording(try others.asFolder("kitchen")).scenes[0]
    #expect(scene.intrinsics?.fx == 585)
    #expect(words(scene, "intrinsics").contains { $0.hasPrefix("not read: ../info.txt; ") })
  }
}
