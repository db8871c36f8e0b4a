import DepthCore
import DepthDataset
import DepthImport
import Foundation
import FathomFrameFolder
import FathomStorage
import FathomTestSupport
import Testing

/// What an app writes with the writer is what an import reads.
@Suite struct FrameFolderTests {
  private let folder: TemporaryFolder
  private let camera = FrameFolderWriter.Camera(
    width: 1920, height: 1440, fx: 1600, fy: 1590, cx: 950, cy: 715)

  init() throws { folder = try TemporaryFolder() }

  @Test func framesComeBackAsTheyWereWritten() throws {
    var writer = try FrameFolderWriter(URL(fileURLWithPath: folder.path("own")))
    let depth = (0..<48).map { Float($0) * 0.0371 + 0.2 }
    for index in 0..<3 {
      var camera = camera
      camera.fx += Double(index)
      try writer.write(
        depth: depth.map { $0 + Float(index) }, width: 8, height: 6,
        confidence: (0..<48).map { UInt8(($0 + index) % 3) }, camera: camera,
        pose: index == 1
          ? nil : .init(position: [Double(index), 2, -3], rotation: [0, 0.6, 0, 0.8]),
        time: 100 + Double(index) / 60)
    }
    let recording = try FolderRecording(folder.path("own"))
    #expect(recording.format == "frames")
    let scene = recording.scenes[0]
    #expect(scene.frameCount == 3 && scene.cameraConvention == .arkit && scene.hasConfidence)
    for index in 0..<3 {
      let frame = try recording.frame(index, of: scene, including: .all)
      #expect(frame.lidar.values == depth.map { $0 + Float(index) })
      #expect(frame.confidence?.values == (0..<48).map { UInt8(($0 + index) % 3) })
      let k = try #require(frame.intrinsics)
      // Ours count from the corner.
      #expect(k.fx == 1600 + Double(index) && k.cx == 950.5 && k.cy == 715.5)
      if index == 1 {
        #expect(frame.worldFromCamera == nil)
      } else {
        let pose = try #require(frame.worldFromCamera)
        #expect(pose.translation == [Double(index), 2, -3])
        // A turn about y by twice the angle whose sine is 0.6.
        #expect(abs(pose.zAxis.x - 0.96) < 1e-12 && abs(pose.zAxis.z - 0.28) < 1e-12)
      }
    }
  }

  @Test func whatIsNoFrameIsRefused() throws {
    var writer = try FrameFolderWriter(URL(fileURLWithPath: folder.path("own")))
    #expect(throws: FrameFolderWriter.Fault.self) {
      try writer.write(depth: [1, 2, 3], width: 2, height: 2, camera: camera, pose: nil, time: 0)
    }
    #expect(throws: FrameFolderWriter.Fault.self) {
      try writer.write(
        depth: [1, 2], width: 2, height: 1, confidence: [1, 3], camera: camera, pose: nil, time: 0)
    }
    #expect(throws: (any Error).self) { try FrameFolderWriter(URL(fileURLWithPath: folder.path("own"))) }
  }
}
