import DepthCore
import DepthDataset
import DepthFusion
import DepthObjects
import FathomTestSupport
import Testing

@Suite(
  "Planes of a real room",
  .enabled(if: PackageFiles.realData != nil, Comment(rawValue: PackageFiles.noRealData)))
struct RealPlaneTests {
  @Test("every frame of an iPhone's walk finds the floor at the same height")
  func floor() throws {
    let reader = try DatasetReader(readingFrom: PackageFiles.realDataPath("iphone-stray.h5"))
    let scene = try #require(reader.scenes.first { $0.name == "room-consecutive" })
    var heights: [Double] = []
    for index in stride(from: 0, to: scene.frameCount, by: 6) {
      let frame = try reader.frame(index, of: scene)
      let camera = try #require(PosedCamera(of: frame, in: scene))
      let planes = HorizontalPlaneFinder().planes(
        in: frame.lidar, confidence: frame.confidence, camera: camera)
      let floor = try #require(planes.first)
      #expect(floor.area > 1)
      heights.append(floor.height)
    }
    // The camera moves and turns between the frames; the floor does not.
    #expect((heights.max() ?? 1) - (heights.min() ?? 0) < 0.02)
  }
}
