import DepthCore
import DepthDataset
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@Suite struct RoundTripTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func whatIsWrittenIsRead() throws {
    let path = folder.path("known.h5")
    try KnownScene.write(to: path)
    #expect(folder.names == ["known.h5"])

    let reader = try DatasetReader(readingFrom: path)
    #expect(reader.path == path)
    #expect(reader.attributes == KnownScene.attributes)
    #expect(reader.issues.isEmpty)
    #expect(reader.scenes == [KnownScene.header])
    for index in 0..<KnownScene.frameCount {
      let (frame, expected) = (
        try reader.frame(index, of: reader.scenes[0], including: .all), KnownScene.frame(index)
      )
      #expect(frame.index == index)
      // As bits: the map holds NaN, which equals nothing.
      #expect(frame.lidar.values.map(\.bitPattern) == expected.lidar.values.map(\.bitPattern))
      #expect(frame.lidar.size == expected.lidar.size)
      #expect(frame.confidence == expected.confidence)
      #expect(frame.relative == expected.relative)
      #expect(frame.truth == expected.truth)
      #expect(frame.image == expected.image)
      #expect(frame.predictions.map(\.header) == expected.predictions.map(\.header))
      #expect(frame.predictions.map(\.map.values) == expected.predictions.map(\.map.values))
      #expect(frame.intrinsics == expected.intrinsics)
      #expect(frame.worldFromCamera == expected.worldFromCamera)
    }
  }

  @Test(
    "frames that were compressed before give the same file; at another level than the scene's, the same numbers",
    arguments: [4, 9, 0])
  func compressedBefore(level: Int) throws {
    let (plain, early) = (folder.path("plain.h5"), folder.path("early.h5"))
    for path in [plain, early] {
      var writer = try DatasetWriter(creating: path, attributes: KnownScene.attributes)
      try writer.addScene(KnownScene.header)
      for index in 0..<KnownScene.frameCount {
        let frame = KnownScene.frame(index)
        if path == plain {
          try writer.write(frame, to: KnownScene.header.name)
        } else {
          try writer.write(CompressedFrame(frame, level: level), to: KnownScene.header.name)
        }
      }
      try writer.commit()
    }
    #expect(try Data(contentsOf: URL(filePath: plain)) == Data(contentsOf: URL(filePath: early)))
  }

  @Test func objectsSurviveARoundTrip() throws {
    let path = folder.path("objects.h5")
    try KnownScene.write(to: path)
    let reader = try DatasetReader(readingFrom: path)
    let (read, expected) = (try #require(try reader.objects(of: reader.scenes[0])), KnownScene.objects)
    #expect(read.conventions == expected.conventions)
    #expect(read.objects.count == 2)
    let scene = reader.scenes[0]
    #expect(
      try reader.objects(of: scene, includingMasks: false)?.objects.allSatisfy { $0.mask == nil } == true)
    #expect(try reader.mask(ofObject: 1, in: scene) == read.objects[1].mask)
    let error = try #require(throws: FathomError.self) { _ = try reader.mask(ofObject: 2, in: scene) }
    #expect(error.kind == .badData && error.reason == "it has 2 detections")
    for (object, known) in zip(read.objects, expected.objects) {
      #expect(object.frame == known.frame)
      #expect(object.label == known.label)
      #expect(object.score == known.score)
      #expect(object.box == known.box)
      #expect(object.truth == known.truth)
      #expect(object.mask?.size == known.mask?.size)
      for (value, truth) in zip(object.mask?.values ?? [], known.mask?.values ?? []) {
        #expect(abs(value - truth) <= 0.5 / 255 + 1e-6)  // one of 256 levels
      }
    }
  }

  @Test func onlyWhatIsAskedForIsRead() throws {
    let path = folder.path("part.h5")
    try KnownScene.write(to: path)
    let reader = try DatasetReader(readingFrom: path)
    let truthOnly = try reader.frame(1, of: reader.scenes[0], including: .truth)
    #expect(truthOnly.lidar.values.isEmpty)
    #expect(truthOnly.truth == KnownScene.frame(1).truth)
    #expect(truthOnly.relative == nil && truthOnly.image == nil && truthOnly.intrinsics == nil)
    let fusion = try reader.frame(1, of: reader.scenes[0])
    #expect(fusion.image == nil)
    #expect(fusion.relative != nil && fusion.worldFromCamera != nil)
  }

  @Test func whatIsAbsentIsNil() throws {
    let path = folder.path("bare.h5")
    var header = SceneHeader(name: "bare", frameCount: 1)
    header.lidarSize = RasterSize(width: 2, height: 1)
    var writer = try DatasetWriter(creating: path, attributes: DatasetAttributes())
    try writer.addScene(header, compression: 0)
    try writer.write(DepthFrame(index: 0, lidar: Raster(width: 2, height: 1, values: [1, 2])), to: "bare")
    try writer.commit()

    let reader = try DatasetReader(readingFrom: path)
    #expect(reader.scenes == [header])
    #expect(reader.attributes == DatasetAttributes())
    let frame = try reader.frame(0, of: header, including: .all)
    #expect(frame.lidar.values == [1, 2])
    #expect(frame.confidence == nil && frame.relative == nil && frame.truth == nil && frame.image == nil)
    #expect(frame.intrinsics == nil && frame.worldFromCamera == nil)
    #expect(try reader.objects(of: header) == nil)
    #expect(reader.scenes[0].frameID(0) == "0")
  }

  @Test("a scene without a LiDAR comes back, in a file of version 3; beside one with a LiDAR, too")
  func withoutLidar() throws {
    let path = folder.path("maps.h5")
    let size = RasterSize(width: 3, height: 2)
    var header = SceneHeader(name: "maps", frameCount: 2)
    (header.truthSize, header.truthIndependence) = (size, .independent)
    header.predictions = [StoredPrediction(name: "net", kind: .metric, size: RasterSize(width: 2, height: 1))]
    (header.hasTruthDeviation, header.predictions[0].certainty) = (true, .deviation)
    func frame(_ index: Int) -> DepthFrame {
      var frame = DepthFrame(index: index, lidar: DepthMap(width: 0, height: 0, values: []))
      frame.truth = Raster(width: 3, height: 2, values: (0..<6).map { Float($0 + index) + 0.5 })
      let map = Raster(width: 2, height: 1, values: [Float(index) + 1, 2])
      frame.predictions = [(header.predictions[0], map)]
      frame.truthDeviation = Raster(width: 3, height: 2, values: (0..<6).map { 0.01 * Float($0 + index + 1) })
      frame.certainties["net"] = Raster(width: 2, height: 1, values: [0.25, 0.5 + Float(index)])
      return frame
    }
    var writer = try DatasetWriter(creating: path, attributes: DatasetAttributes())
    try writer.addScene(header)
    for index in 0..<2 { try writer.write(frame(index), to: "maps") }
    // A later scene that version 2 could hold leaves the file at 3.
    var sensed = SceneHeader(name: "sensed", frameCount: 1)
    (sensed.lidarSize, sensed.importRecord) = (size, ImportRecord(format: "f", recording: "r", entries: []))
    try writer.addScene(sensed)
    let lidar = DepthMap(width: 3, height: 2, values: [1, 2, 3, 4, 5, 6])
    try writer.write(DepthFrame(index: 0, lidar: lidar), to: "sensed")
    try writer.commit()

    let reader = try DatasetReader(readingFrom: path)
    #expect(reader.schemaVersion == 3 && reader.issues.isEmpty)
    #expect(reader.scenes == [header, sensed])
    for index in 0..<2 {
      let (read, expected) = (try reader.frame(index, of: header, including: .all), frame(index))
      #expect(read.lidar.size == RasterSize(width: 0, height: 0) && read.confidence == nil)
      #expect(read.truth == expected.truth)
      #expect(read.predictions.map(\.map) == expected.predictions.map(\.map))
      #expect(read.truthDeviation == expected.truthDeviation && read.certainties == expected.certainties)
    }
    let inspection = try DatasetInspection(inspecting: path)
    #expect(inspection.schemaVersion == 3 && inspection.isValid)
    #expect(
      inspection.scenes[0].arrays.map(\.name) == [
        "truth/depth", "truth/deviation", "predictions/net/depth", "predictions/net/deviation",
      ])
    #expect(inspection.scenes[0].absent.contains("lidar/depth"))
  }

  @Test("with a LiDAR the writer's files stay at the version that they need", arguments: [1, 2])
  func leastVersion(version: Int) throws {
    let path = folder.path("least.h5")
    var header = SceneHeader(name: "sensed", frameCount: 1)
    header.lidarSize = RasterSize(width: 2, height: 1)
    if version == 2 { header.importRecord = ImportRecord(format: "f", recording: "r", entries: []) }
    var writer = try DatasetWriter(creating: path, attributes: DatasetAttributes())
    try writer.addScene(header)
    try writer.write(DepthFrame(index: 0, lidar: Raster(width: 2, height: 1, values: [1, 2])), to: "sensed")
    try writer.commit()
    #expect(try DatasetReader(readingFrom: path).schemaVersion == version)
  }

  @Test func intrinsicsThatVaryAreStoredPerFrame() throws {
    let path = folder.path("zoom.h5")
    var writer = try DatasetWriter(creating: path, attributes: DatasetAttributes())
    try writer.addScene(KnownScene.header)
    for index in 0..<KnownScene.frameCount {
      var frame = KnownScene.frame(index)
      frame.intrinsics?.fx = 100 + Double(index)
      try writer.write(frame, to: KnownScene.header.name)
    }
    try writer.commit()
    let reader = try DatasetReader(readingFrom: path)
    for index in 0..<KnownScene.frameCount {
      let frame = try reader.frame(index, of: reader.scenes[0], including: .camera)
      #expect(frame.intrinsics?.fx == 100 + Double(index))
      #expect(frame.intrinsics?.cy == KnownScene.camera.cy)
    }
  }

  @Test func equalContentGivesEqualBytes() throws {
    try KnownScene.write(to: folder.path("first.h5"))
    Thread.sleep(forTimeInterval: 1.1)  // HDF5's object times have a resolution of one second
    try KnownScene.write(to: folder.path("second.h5"))
    let first = try FileDigest.sha256(ofFile: folder.path("first.h5"))
    #expect(try FileDigest.sha256(ofFile: folder.path("second.h5")) == first)
    let bytes = try Data(contentsOf: URL(filePath: folder.path("first.h5")))
    #expect(try Data(contentsOf: URL(filePath: folder.path("second.h5"))) == bytes)
  }

  @Test func theDigestIsSHA256() throws {
    let path = folder.path("abc")
    try Data("abc".utf8).write(to: URL(filePath: path))  // FIPS 180-2, appendix B.1
    #expect(
      try FileDigest.sha256(ofFile: path)
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    try Data(repeating: UInt8(ascii: "a"), count: 1_000_000).write(to: URL(filePath: path))
    #expect(
      try FileDigest.sha256(ofFile: path)
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    let error = try #require(throws: FathomError.self) {
      _ = try FileDigest.sha256(ofFile: folder.path("absent"))
    }
    #expect(error.kind == .noInput)
  }
}
