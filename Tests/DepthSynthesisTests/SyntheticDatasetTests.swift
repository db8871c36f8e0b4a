import FathomStorage
import DepthCore
import DepthDataset
import Foundation
import Synchronization
import Testing

@testable import DepthSynthesis

@Suite("Simulated data sets")
struct SyntheticDatasetTests {
  /// Runs `body` in a folder of its own and removes it.
  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "synthesis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  /// Everything small, the LiDAR too.
  private var tiny: SynthesisOptions {
    var options = reduced(.sample, scenes: 2, frames: 2)
    options.lidarSize = RasterSize(width: 64, height: 48)
    options.truthSize = RasterSize(width: 80, height: 60)
    return options
  }

  @Test("frames do not depend on the order or the time at which they are made")
  func frameDeterminism() {
    let options = tiny
    let (a, b) = (SyntheticScene(options: options, index: 1), SyntheticScene(options: options, index: 1))
    let (forwards, backwards) = ((0..<2).map(a.frame), (0..<2).reversed().map(b.frame))
    for (x, y) in zip(forwards, backwards.reversed()) {
      #expect(x.lidar == y.lidar && x.confidence == y.confidence && x.relative == y.relative)
      #expect(x.truth == y.truth && x.worldFromCamera == y.worldFromCamera && x.image == y.image)
    }
    #expect(forwards[0].lidar != forwards[1].lidar)
    var other = options
    other.seed = 2
    #expect(SyntheticScene(options: other, index: 1).frame(0).truth != forwards[0].truth)
  }

  @Test("any number of jobs writes the same bytes, progress counts every frame, and the schema holds")
  func jobs() async throws {
    try await withFolder { folder in
      var files: [Data] = []
      for jobs in [1, 3] {
        let path = folder.appending(path: "jobs\(jobs).h5").path
        let seen = Mutex<[Int]>([])
        try await SyntheticDataset.write(tiny, to: path, jobs: jobs) { written, total in
          seen.withLock { $0.append(written * 100 + total) }
        }
        #expect(seen.withLock { $0 } == (1...4).map { $0 * 100 + 4 })
        files.append(try Data(contentsOf: URL(filePath: path)))
      }
      #expect(files[0] == files[1])
      let reader = try DatasetReader(readingFrom: folder.appending(path: "jobs1.h5").path)
      #expect(reader.issues.isEmpty)
      #expect(reader.scenes.map(\.name) == ["room-01", "room-02"])
      #expect(reader.scenes.map(\.relativeKind) == [.disparity, .depth])
      #expect(reader.scenes.allSatisfy { $0.truthIndependence == .render && $0.cameraConvention == .arkit })
    }
  }

  @Test("an existing file is not overwritten unasked")
  func existing() async throws {
    try await withFolder { folder in
      let file = folder.appending(path: "taken.h5")
      try Data("mine".utf8).write(to: file)
      await #expect(throws: FathomError.self) { try await SyntheticDataset.write(tiny, to: file.path) }
      let content = try Data(contentsOf: file)
      #expect(content == Data("mine".utf8))
    }
  }

  @Test("a cancelled run leaves no file")
  func cancelled() async throws {
    try await withFolder { folder in
      let path = folder.appending(path: "cancelled.h5").path
      let options = tiny
      let task = Task { () throws in
        withUnsafeCurrentTask { $0?.cancel() }
        try await SyntheticDataset.write(options, to: path)
      }
      await #expect(throws: FathomError.self) { try await task.value }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(left.isEmpty)
    }
  }

  @Test("`sample` stays under 3 MB")
  func sampleSize() async throws {
    try await withFolder { folder in
      let path = folder.appending(path: "sample.h5").path
      try await SyntheticDataset.write(SynthesisPreset.sample.options, to: path, jobs: 2)
      let bytes = try Data(contentsOf: URL(filePath: path)).count
      #expect(bytes < 3_000_000)
    }
  }
}
