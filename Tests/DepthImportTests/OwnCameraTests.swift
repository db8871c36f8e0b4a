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

  @Test("Replica's cam_params.json says the counts of a metre, also one folder up")
  func replica() throws {
    let files = try MadeFolder()
    let depth = MadePNG.grey16(8, 6, [UInt16](repeating: 2000, count: 48))
    for number in 0...1 {
      files.add("room/results/depth00000\(number).png", depth)
      files.add("room/results/frame00000\(number).jpg", MadePNG.rgb(8, 6, [UInt8](repeating: 5, count: 144)))
    }
    files.add("room/traj.txt", "1 0 0 0.5 0 1 0 0 0 0 1 2 0 0 0 1\n1 0 0 0.6 0 1 0 0 0 0 1 2 0 0 0 1\n")
    let camera = #""w": 8, "h": 6, "fx": 7, "fy": 7, "cx": 3.5, "cy": 2.5, "scale": "#
    files.add("cam_params.json", "{\"camera\": {\(camera)1000.0}}")
    let path = try files.asFolder("own")
    for path in [path, path + "/room"] {
      let recording = try FolderRecording(path)
      let scene = recording.scenes[0]
      #expect(recording.format == "replica" && scene.intrinsics?.fx == 7)
      #expect(try recording.frame(0, of: scene, including: .lidar).lidar.values[0] == 2)
      #expect(words(scene, "intrinsics").allSatisfy { !$0.contains("the rendering") })
    }
    var options = ImportOptions()
    options.depthScale = 0.01
    let scaled = try FolderRecording(path, as: .recognised, options)
    #expect(try scaled.frame(0, of: scaled.scenes[0], including: .lidar).lidar.values[0] == 20)
    files.add("room/cam_params.json", "{\"camera\": {\(camera)0}}")
    let wrong = try files.asFolder("wrong")
    #expect {
      _ = try FolderRecording(wrong)
    } throws: { "\($0)".contains("cannot be the counts of a metre") }
  }
}
