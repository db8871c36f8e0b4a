import DepthCore
import FathomPlainText
import DepthDataset
import FathomHDF5
import FathomTestSupport
import Testing

/// Stored numbers become planar metres.
@Suite struct ConversionTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  struct UnitCase: Sendable {
    let attributes: [(String, HDF5Attribute)]
    let metres: Float
  }

  @Test(arguments: [
    UnitCase(attributes: [("scale", .real(0.001))], metres: 1.234),
    UnitCase(attributes: [("units", .string("mm"))], metres: 1.234),
    UnitCase(attributes: [("units", .string("cm"))], metres: 12.34),
    UnitCase(attributes: [("units", .string("m")), ("scale", .real(0.5))], metres: 617),
    UnitCase(attributes: [("units", .string("mm")), ("scale", .integer(2))], metres: 2.468),
    UnitCase(attributes: [("units", .string("m"))], metres: 1234),
  ])
  func integersAreScaled(_ c: UnitCase) throws {
    let path = folder.path("scaled.h5")
    try SchemaFile.write(path, depth: false) {
      try $0.add("lidar/depth", [1, 1, 2], [UInt16(1234), 0], attributes: c.attributes)
    }
    let reader = try DatasetReader(readingFrom: path)
    let values = try reader.frame(0, of: reader.scenes[0]).lidar.values
    #expect(abs(values[0] - c.metres) <= c.metres.ulp)
    #expect(values[1] == 0)
  }

  @Test func rayLengthsBecomePlanarDepth() throws {
    let path = folder.path("rays.h5")
    // A wall at z = 2, seen by a camera whose K belongs to an image of ten times the resolution.
    let (fx, fy, cx, cy) = (2.0, 2.1, 1.5, 1.0)  // for the 3×2 map
    let rays = (0..<2).flatMap { row in
      (0..<3).map { column in
        let (x, y) = ((Double(column) + 0.5 - cx) / fx, (Double(row) + 0.5 - cy) / fy)
        return Float(2 * (1 + x * x + y * y).squareRoot())
      }
    }
    try SchemaFile.write(path, depth: false) {
      try $0.add("lidar/depth", [1, 2, 3], rays, attributes: [("kind", .string("distance"))])
      try $0.add(
        "truth/depth", [1, 2, 3], rays.map { $0 * 1000 },
        attributes: [("kind", .string("distance")), ("units", .string("mm"))])
      try $0.addCamera()
    }
    let reader = try DatasetReader(readingFrom: path)
    #expect(reader.scenes[0].lidarKind == .distance)
    let frame = try reader.frame(0, of: reader.scenes[0])
    for value in frame.lidar.values + (frame.truth?.values ?? []) { #expect(abs(value - 2) < 1e-6) }
    #expect(frame.truth?.values.count == 6)
    #expect(rays[0] > 2.1)  // the corner's ray is longer than its depth
    #expect(try reader.frame(0, of: reader.scenes[0], including: .lidar).lidar == frame.lidar)
  }

  @Test func valuesAreNeverAnError() throws {
    let path = folder.path("odd.h5")
    let odd: [Float] = [.nan, .infinity, -.infinity, 0, -1, 1e30]
    try SchemaFile.write(path, depth: false) {
      try $0.add("lidar/depth", [1, 2, 3], odd)
      try $0.add("truth/depth", [1, 2, 3], [Float](repeating: .nan, count: 6))
      try $0.add("camera/world_from_camera", [1, 4, 4], [Double](repeating: .nan, count: 16))
    }
    let reader = try DatasetReader(readingFrom: path)
    let frame = try reader.frame(0, of: reader.scenes[0])
    // No sensor reaches 1e30 m: like infinity that is missing.
    #expect(frame.lidar.values.map(\.bitPattern) == (odd.dropLast() + [.infinity]).map(\.bitPattern))
    #expect(frame.worldFromCamera == nil)
  }

  @Test func whatIsNotDeclaredIsUnknownAndNoted() throws {
    let path = folder.path("undeclared.h5")
    let twelve = (1...12).map { Float($0) }
    try SchemaFile.write(path) {
      try $0.add("relative/values", [2, 2, 3], twelve)
      try $0.add("truth/depth", [2, 2, 3], twelve)
      try $0.add("camera/world_from_camera", [2, 4, 4], [Double](repeating: 0, count: 32))
    }
    let reader = try DatasetReader(readingFrom: path)
    let scene = reader.scenes[0]
    #expect(scene.relativeKind == .unknown)
    #expect(scene.truthIndependence == .unknown)
    #expect(scene.cameraConvention == .unknown)
    #expect(scene.upAxis == .y)
    #expect(reader.issues.allSatisfy { $0.severity == .note })
    #expect(
      reader.issues.map(\.object) == [
        "scenes/room/relative/values", "scenes/room/truth/depth", "scenes/room/camera/world_from_camera",
      ])
  }

  @Test func aChunkOfManyFramesIsNoted() throws {
    let path = folder.path("chunk.h5")
    try SchemaFile.write(path, depth: false) {
      try $0.add("lidar/depth", [2, 2, 3], (1...12).map { Float($0) }, chunk: [2, 2, 3])
    }
    let reader = try DatasetReader(readingFrom: path)
    #expect(
      reader.issues == [
        SchemaIssue(
          severity: .note, object: "scenes/room/lidar/depth",
          problem: "a chunk spans 2 frames, so reading one frame decompresses 2",
          advice: "chunk by frame: (1, h, w)")
      ])
    #expect(try reader.frame(1, of: reader.scenes[0]).lidar.values == [7, 8, 9, 10, 11, 12])
  }

  @Test func aSingleFrameMayHaveAScalarTime() throws {
    let path = folder.path("scalar.h5")
    try SchemaFile.write(path, depth: false) {
      try $0.add("lidar/depth", [1, 1, 1], [Float(1)])
      try $0.add("time", [], [2.5])
    }
    #expect(try DatasetReader(readingFrom: path).scenes[0].timestampsSeconds == [2.5])
  }

  @Test func masksMayBeReal() throws {
    let path = folder.path("masks.h5")
    try SchemaFile.write(path) {
      try $0.addObjects()
      try $0.add("objects/mask", [2, 1, 2], [Float(0), 0.25, 0.5, 1])
    }
    let reader = try DatasetReader(readingFrom: path)
    let objects = try #require(try reader.objects(of: reader.scenes[0]))
    #expect(objects.objects.map { $0.mask?.values ?? [] } == [[0, 0.25], [0.5, 1]])
    #expect(objects.conventions == DetectionConventions())
    #expect(objects.objects.map(\.label) == ["cup", "chair"])
  }
}
