import DepthDataset
import DepthFusion
import Foundation
import FathomHDF5
import FathomTestSupport
import Testing

@Suite struct InspectionTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func everythingInAFileIsListed() throws {
    let path = folder.path("known.h5")
    try KnownScene.write(to: path)
    let inspection = try DatasetInspection(inspecting: path)
    #expect(inspection.isValid && inspection.issues.isEmpty)
    #expect(inspection.attributes == KnownScene.attributes)
    #expect(inspection.byteCount == (try Data(contentsOf: URL(filePath: path)).count))
    let scene = try #require(inspection.scenes.first)
    #expect(scene.frameCount == 3)
    #expect(
      scene.arrays.map(\.name) == [
        "lidar/depth", "lidar/confidence", "relative/values", "truth/depth", "predictions/net/depth",
        "predictions/other/depth", "image/rgb",
      ])
    #expect(
      scene.arrays.map(\.storedType) == [
        "float32", "uint8", "float32", "float32", "float32", "float32", "uint8",
      ])
    #expect(scene.arrays[0].filters == ["shuffle", "deflate"])
    #expect(scene.arrays[0].chunk == [1, 6, 8])
    #expect(scene.arrays[2].kind == "disparity" && scene.arrays[2].origin == "DepthAnythingV2")
    #expect(scene.arrays[3].kind == "planar" && scene.arrays[3].origin == "render")
    #expect(scene.confidence == ConfidenceShares(low: 1.0 / 3, medium: 1.0 / 3, high: 1.0 / 3, other: 0))
    #expect(scene.objects == ["cup": 1, "Stuhl ü": 1])
    #expect(scene.hasMasks && scene.hasTrueBoxes)
    #expect(scene.durationSeconds == 1.25)
    #expect(scene.absent.isEmpty)

    // 3 of 48 LiDAR pixels are missing in each frame; values lie at 1 + index + 0.001 × (3…47).
    let lidar = try #require(scene.arrays[0].values)
    #expect(lidar.validShare == 45.0 / 48)
    #expect(lidar.minimum == Double(Float(1) + 3 * Float(0.001)))
    #expect(lidar.maximum == Double(Float(3) + 47 * Float(0.001)))
    #expect(abs((lidar.median ?? 0) / 2.025 - 1) < 0.0005)
    // Relative values run from −0.02 to 0.049, alike in every frame: zero and below are valid there.
    let relative = try #require(scene.arrays[2].values)
    #expect(relative.validShare == 1)
    #expect(relative.minimum == Double(Float(-0.02)))
    #expect(abs((relative.median ?? 0) - 0.014) < 0.0011)
  }

  @Test func itSurvivesJSON() throws {
    let path = folder.path("json.h5")
    try SchemaFile.write(path, depth: false) {
      try $0.add("lidar/depth", [1, 1, 3], [Float.nan, 0, -1])  // nothing valid: no number to encode
    }
    let inspection = try DatasetInspection(inspecting: path)
    #expect(inspection.scenes[0].arrays[0].values == ValueSummary(validShare: 0))
    let data = try JSONEncoder().encode(inspection)
    let decoded = try JSONDecoder().decode(DatasetInspection.self, from: data)
    #expect(decoded.scenes[0].arrays[0].values == ValueSummary(validShare: 0))
    #expect(
      decoded.scenes[0].absent == [
        "lidar/confidence", "relative/values", "truth/depth", "camera/intrinsics",
        "camera/world_from_camera", "image/rgb", "time", "frame_id", "objects",
      ])
  }

  @Test func brokenPartsAreReportedBesideTheRest() throws {
    let path = folder.path("broken.h5")
    try SchemaFile.write(path) {
      try $0.setAttribute("units", of: "scenes/room/lidar/depth", to: .string("feet"))
      try $0.add("lidar/confidence", [2, 2, 3], [UInt8](repeating: 9, count: 12))
      try $0.add(
        "relative/values", [2, 2, 3], (1...12).map { Float($0) }, attributes: [("kind", .string("depth"))])
    }
    let inspection = try DatasetInspection(inspecting: path)
    #expect(!inspection.isValid)
    #expect(
      inspection.issues.map(\.problem) == ["its attribute units is 'feet'", "it holds the confidence 9"])
    #expect(inspection.scenes[0].arrays.map(\.name) == ["lidar/confidence", "relative/values"])
    #expect(inspection.scenes[0].confidence?.other == 1)
    #expect(inspection.scenes[0].arrays[1].values?.maximum == 12)
    #expect(inspection.scenes[0].absent.first == "lidar/depth")
  }

  @Test func metresAreReportedWhateverTheStoredUnit() throws {
    let path = folder.path("mm.h5")
    try SchemaFile.write(path, depth: false) {
      try $0.add(
        "lidar/depth", [1, 1, 3], [UInt16(500), 1500, 2500], attributes: [("units", .string("mm"))])
      try $0.add(
        "predictions/net/depth", [1, 1, 2], [Float(3), 4], attributes: [("kind", .string("metric"))])
    }
    let scene = try #require(try DatasetInspection(inspecting: path).scenes.first)
    let values = try #require(scene.arrays[0].values)
    #expect(values.minimum == 0.5 && values.maximum == 2.5)
    #expect(abs((values.median ?? 0) - 1.5) < 0.00075)
    #expect(scene.arrays[0].storedType == "uint16" && scene.arrays[0].unit == "m")
    #expect(scene.arrays[1].name == "predictions/net/depth" && scene.arrays[1].kind == "metric")
  }
}
