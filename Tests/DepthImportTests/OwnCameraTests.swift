import DepthCore
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
}
