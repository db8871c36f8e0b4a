import DepthCore
import DepthDataset
import Foundation
import FathomTestSupport
import Testing

/// Long scenes, in a process of their own: the high-water mark belongs to nothing else.
@Suite struct MemoryTests {
  /// Kilobytes that the process has held at most.
  static func highWaterMark() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  /// Writes and reads `count` frames of 1.2 MB.
  static func useScene(of count: Int, at path: String) throws {
    var header = SceneHeader(name: "long", frameCount: count)
    header.lidarSize = RasterSize(width: 640, height: 480)
    var writer = try DatasetWriter(creating: path, attributes: DatasetAttributes(), overwrite: true)
    try writer.addScene(header, compression: 0)
    for index in 0..<count {
      let lidar = DepthMap(width: 640, height: 480, filledWith: Float(index + 1))
      try writer.write(DepthFrame(index: index, lidar: lidar), to: "long")
    }
    try writer.commit()
    let reader = try DatasetReader(readingFrom: path)
    for index in 0..<count {
      let last = try reader.frame(index, of: header).lidar.values.last
      if last != Float(index + 1) { _exit(4) }
    }
    if try DatasetInspection(inspecting: path).scenes[0].arrays[0].values?.maximum != Double(count) {
      _exit(5)
    }
  }

  @Test(.disabled(if: dlsym(nil, "__asan_init") != nil, "AddressSanitizer keeps freed memory"))
  func memoryDoesNotGrowWithTheNumberOfFrames() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let folder = try TemporaryFolder()
      try Self.useScene(of: 3, at: folder.path("short.h5"))
      let short = Self.highWaterMark()
      try Self.useScene(of: 40, at: folder.path("long.h5"))  // 49 MB of depth
      let long = Self.highWaterMark()
      try? FileManager.default.removeItem(at: folder.url)
      _exit(short > 0 && long - short < 12_000 ? 42 : 3)
    }
  }
}
