import DepthCore
import DepthDataset
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

/// Packs of real frames, written by h5py, and files of other programs.
@Suite(.enabled(if: PackageFiles.realData != nil, "no real frames: set FATHOM_REAL_DATA"))
struct RealDataTests {
  private func path(_ name: String) -> String { PackageFiles.realDataPath(name) }

  @Test func thePhonePackIsReadEntirely() throws {
    let reader = try DatasetReader(readingFrom: path("iphone-stray.h5"))
    #expect(reader.scenes.map(\.name) == ["room-consecutive", "room-reference"])
    #expect(reader.scenes.map(\.frameCount) == [30, 8])
    for scene in reader.scenes {
      #expect(scene.cameraConvention == .opencv)
      #expect(scene.hasConfidence && scene.hasPoses)
      #expect(scene.intrinsics?.imageSize == RasterSize(width: 1920, height: 1440))
      for index in 0..<scene.frameCount {
        let frame = try reader.frame(index, of: scene, including: .all)
        #expect(frame.lidar.size == RasterSize(width: 256, height: 192))
        #expect(frame.confidence?.values.allSatisfy { $0 <= 2 } == true)
        let range = frame.lidar.values.filter { $0 > 0 }
        #expect((range.min() ?? 0) >= 0.40 && (range.max() ?? 9) <= 6.54)  // README: 0.41–6.53 m
        let x = try #require(frame.worldFromCamera).xAxis
        #expect(abs((x * x).sum() - 1) < 1e-6)
        #expect((frame.truth != nil) == (scene.name == "room-reference"))
      }
    }
  }

  @Test func theIndoorPackIsReadEntirely() throws {
    let reader = try DatasetReader(readingFrom: path("real-indoor.h5"))
    #expect(reader.issues.isEmpty)
    #expect(reader.scenes.map(\.name) == ["fastdepth", "nyu", "office-desk", "promptda", "seven-scenes"])
    #expect(reader.scenes.map(\.frameCount) == [1, 3, 1, 1, 20])
    for scene in reader.scenes {
      #expect(scene.relativeKind == .disparity)
      #expect(scene.truthIndependence == (scene.truthSize == nil ? .unknown : .sameSensor))
      for index in 0..<scene.frameCount {
        let frame = try reader.frame(index, of: scene, including: .all)
        #expect(frame.image?.size == scene.colourSize)
        #expect(frame.relative?.values.allSatisfy(\.isFinite) == true)
        #expect(frame.lidar.values.contains { $0 > 0 })
      }
    }
    let sevenScenes = try #require(reader.scenes.last)
    let known = CameraIntrinsics(
      fx: 585, fy: 585, cx: 320.5, cy: 240.5, imageSize: RasterSize(width: 640, height: 480))
    let found = try #require(sevenScenes.intrinsics)
    #expect(abs(found.cx - known.cx) <= 0.5 && abs(found.cy - known.cy) <= 0.5 && found.fx == known.fx)
  }

  @Test(arguments: [
    "hdf5-features/btree_idx_1_8.h5", "hdf5-features/deflate.h5", "hdf5-features/filter_error.h5",
    "hdf5-features/h5py_vlen_string_dset.h5", "hdf5-features/le_data.h5", "hdf5-features/test_filters_le.h5",
    "matlab73/testfile1.mat", "matlab73/testfile2.mat", "matlab73/testfile3.mat", "matlab73/testfile4.mat",
    "matlab73/testfile5.mat", "matlab73/testfile6.mat", "hypersim/frame.0000.depth_meters.hdf5",
  ])
  func foreignFilesAreRefusedAndInspected(_ name: String) throws {
    let path = path("sources/" + name)
    let error = try #require(throws: FathomError.self) { _ = try DatasetReader(readingFrom: path) }
    #expect(error.kind == .badData)
    #expect(
      error.description == "cannot read the data set: \(path): /: it has no attribute format, so it is not a "
        + "Fathom data set; convert it, or set format = 'fathom', version = 1")
    let inspection = try DatasetInspection(inspecting: path)
    #expect(!inspection.isValid)
    #expect(inspection.scenes.isEmpty)
  }

  @Test func aPackIsInspected() throws {
    let inspection = try DatasetInspection(inspecting: path("iphone-stray.h5"))
    #expect(inspection.isValid)
    let scene = try #require(inspection.scenes.last)
    #expect(scene.arrays.map(\.name) == ["lidar/depth", "lidar/confidence", "truth/depth"])
    #expect(scene.absent == ["relative/values", "image/rgb", "objects"])
    let shares = try #require(scene.confidence)
    #expect(abs(shares.low + shares.medium + shares.high - 1) < 1e-12)
    #expect(shares.other == 0)
    #expect(scene.arrays[2].origin == "multiview")
    let truth = try #require(scene.arrays[2].values)
    #expect(truth.validShare > 0 && truth.validShare < 1)  // unknown truth is NaN
  }
}
