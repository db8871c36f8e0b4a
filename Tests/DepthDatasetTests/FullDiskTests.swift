import DepthCore
import DepthDataset
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

/// A disk that fills up, played by a limit on the size of files, in a process of its own.
@Suite struct FullDiskTests {
  @Test(arguments: [0, 2_000, 100_000])
  func aFullDiskIsAnErrorThatLeavesNothingBehind(_ limit: Int) async {
    await #expect(processExitsWith: .exitCode(42)) { [limit] in
      let folder = try TemporaryFolder()
      let path = folder.path("full.h5")
      signal(SIGXFSZ, SIG_IGN)
      var bound = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
      guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &bound) == 0 else { _exit(1) }
      do {
        var writer = try DatasetWriter(creating: path, attributes: KnownScene.attributes)
        var header = SceneHeader(name: "big", frameCount: 20)
        header.lidarSize = RasterSize(width: 256, height: 192)
        try writer.addScene(header, compression: 0)
        for index in 0..<20 {
          try writer.write(
            DepthFrame(index: index, lidar: Raster(width: 256, height: 192, filledWith: 2)), to: "big")
        }
        try writer.commit()
      } catch let error as FathomError {
        let isExpected =
          error.kind == .noRoom && error.place == path && error.reason == "the disk is full"
          && error.advice == "free some space, or write to another disk"
          && !error.description.contains("\n") && folder.names.isEmpty
        if !isExpected { FileHandle.standardError.write(Data("\(error) \(folder.names)\n".utf8)) }
        try? FileManager.default.removeItem(at: folder.url)
        _exit(isExpected ? 42 : 2)
      }
      _exit(3)
    }
  }
}
