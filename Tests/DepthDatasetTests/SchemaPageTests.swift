import DepthCore
import DepthDataset
import DepthFusion
import Foundation
import FathomTestSupport
import Testing

/// The examples of `Datasets/SCHEMA.md` run as they stand there.
@Suite(.enabled(if: Python.path != nil, Python.comment))
struct SchemaPageTests {
  @Test func theExamplesWriteAndReadAValidFile() throws {
    let page = try String(
      contentsOf: PackageFiles.root.appending(path: "Datasets/SCHEMA.md"), encoding: .utf8)
    let blocks = page.components(separatedBy: "```python\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
    #expect(blocks.count == 2)
    let folder = try TemporaryFolder()
    var printed = ""
    for block in blocks {
      printed = String(decoding: try Python.run(["-c", block], folder: folder.url), as: UTF8.self)
    }
    #expect(printed.hasPrefix("['camera', 'lidar', 'relative', 'truth'] disparity "))

    let reader = try DatasetReader(readingFrom: folder.path("minimal.h5"))
    #expect(reader.issues.isEmpty)
    let scene = try #require(reader.scenes.first)
    #expect(scene.name == "kitchen" && scene.frameCount == 2)
    #expect(scene.relativeModel == "Depth Anything V2" && scene.truthIndependence == .render)
    let frame = try reader.frame(1, of: scene, including: .all)
    let (lidar, truth) = (frame.lidar, try #require(frame.truth))
    #expect(lidar[3, 5] == truth[14, 22])
    #expect(frame.intrinsics?.scaled(to: lidar.size).cx == 16)
    let relative = try #require(frame.relative)
    #expect(abs(1.7 / (relative[4, 6] - 0.2) - truth[8, 12]) < 1e-4)
  }
}
