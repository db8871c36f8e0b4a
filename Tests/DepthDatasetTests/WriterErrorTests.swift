import DepthCore
import DepthDataset
import Foundation
import FathomHDF5
import FathomStorage
import FathomTestSupport
import Testing

@Suite struct WriterErrorTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func error(_ body: () throws -> Void) throws -> FathomError {
    try #require(throws: FathomError.self) { try body() }
  }

  @Test func anExistingFileIsKeptUnlessOverwritingIsAskedFor() throws {
    let path = folder.path("out.h5")
    try Data("precious".utf8).write(to: URL(filePath: path))
    let error = try error { try KnownScene.write(to: path) }
    #expect(error.kind == .cannotCreate)
    let refusal = "cannot create the data set: \(path): it exists; choose another name or add "
    #expect(error.description == refusal + "overwrite" && error.onCommandLine == refusal + "--overwrite")
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("precious".utf8))
    try KnownScene.write(to: path, overwrite: true)
    #expect(try DatasetReader(readingFrom: path).scenes.count == 1)
  }

  @Test func anOutputThatCannotBe() throws {
    let missing = folder.path("missing/out.h5")
    let noFolder = try error { try KnownScene.write(to: missing) }
    #expect(noFolder.kind == .cannotCreate)
    #expect(
      noFolder.description.hasSuffix(
        "there is no folder '\(folder.path("missing"))'; create the folder first"))
    let isFolder = try error { try KnownScene.write(to: folder.url.path, overwrite: true) }
    #expect(isFolder.kind == .cannotCreate)
    #expect(isFolder.reason == "it is a folder")
  }

  @Test func aWriterThatIsDroppedLeavesNothingBehind() throws {
    let path = folder.path("out.h5")
    do {
      var writer = try DatasetWriter(creating: path, attributes: DatasetAttributes())
      try writer.addScene(KnownScene.header)
      #expect(folder.names == ["out.h5.partial"])
    }
    #expect(folder.names.isEmpty)
  }

  @Test func aPartialFileOfAnInterruptedRunIsReplacedButNotThatOfARunningOne() throws {
    let path = folder.path("out.h5")
    try Data("left over".utf8).write(to: URL(filePath: path + ".partial"))
    // As a writer creates it.
    #expect(chmod(path + ".partial", S_ISVTX | 0o666) == 0)
    try KnownScene.write(to: path)
    #expect(folder.names == ["out.h5"])

    let other = folder.path("other.h5")
    var first = try DatasetWriter(creating: other, attributes: DatasetAttributes())
    let busy = try error { try KnownScene.write(to: other) }
    #expect(busy.kind == .cannotCreate)
    #expect(busy.reason == "another process is writing it")
    var header = SceneHeader(name: "s", frameCount: 1)
    header.lidarSize = RasterSize(width: 1, height: 1)
    try first.addScene(header)
    try first.write(DepthFrame(index: 0, lidar: Raster(width: 1, height: 1, values: [1])), to: "s")
    try first.commit()
    #expect(try DatasetReader(readingFrom: other).scenes == [header])
  }

  @Test func aMissingFrameIsFoundAtTheEnd() throws {
    let path = folder.path("out.h5")
    let error = try error {
      var writer = try DatasetWriter(creating: path, attributes: DatasetAttributes())
      try writer.addScene(KnownScene.header)
      for index in [0, 2] { try writer.write(KnownScene.frame(index), to: KnownScene.header.name) }
      try writer.commit()
    }
    #expect(error.kind == .badData)
    #expect(error.object == "scenes/küche 1")
    #expect(error.reason == "frame 1 of 3 was not written")
    #expect(folder.names.isEmpty)
  }

  @Test func framesMustMatchTheirScene() throws {
    var writer = try DatasetWriter(creating: folder.path("out.h5"), attributes: DatasetAttributes())
    try writer.addScene(KnownScene.header)
    func reason(_ change: (inout DepthFrame) -> Void, scene: String = KnownScene.header.name) throws -> String
    {
      var frame = KnownScene.frame(0)
      change(&frame)
      do { try writer.write(frame, to: scene) } catch {
        #expect(error.kind == .badData)
        return error.reason
      }
      return "accepted"
    }
    #expect(try reason { _ in } == "accepted")
    #expect(try reason({ _ in }, scene: "other") == "there is no such scene")
    #expect(try reason { $0.index = 3 } == "it has 3 frames")
    #expect(
      try reason { $0.relative = nil } == "the frame has nothing, but the scene was declared with 10×7")
    #expect(
      try reason { $0.lidar = Raster(width: 6, height: 8, filledWith: 1) }
        == "the frame has 6×8, but the scene was declared with 8×6")
    #expect(try reason { $0.worldFromCamera = nil } == "accepted")  // tracking was lost
    #expect(
      try reason { $0.intrinsics?.imageSize.width = 9 }
        == "the frame has intrinsics for 9×120, but the scene was declared for 160×120")
  }

  @Test func aFileHoldsNoMoreScenesThanAreRead() throws {
    var writer = try DatasetWriter(creating: folder.path("out.h5"), attributes: DatasetAttributes())
    for number in 0..<SchemaLimits.scenes {
      var header = SceneHeader(name: "s\(number)", frameCount: 1)
      header.truthSize = RasterSize(width: 1, height: 1)
      try writer.addScene(header, compression: 0)
    }
    var reason = "accepted"
    do { try writer.addScene(SceneHeader(name: "more", frameCount: 1)) } catch { reason = error.reason }
    #expect(reason == "the file has 4096 scenes, and more are not read")
  }

  @Test func headersThatContradictThemselvesAreRefused() throws {
    var writer = try DatasetWriter(creating: folder.path("out.h5"), attributes: DatasetAttributes())
    try writer.addScene(KnownScene.header)
    func reason(_ change: (inout SceneHeader) -> Void, compression: Int = 4) -> String {
      var header = KnownScene.header
      header.name = "next"
      change(&header)
      do { try writer.addScene(header, compression: compression) } catch { return error.reason }
      return "accepted"
    }
    #expect(reason { $0.name = KnownScene.header.name } == "the scene exists")
    #expect(reason { $0.name = "a/b" } == "a scene cannot have this name")
    #expect(reason { $0.name = "" } == "a scene cannot have this name")
    #expect(
      reason { header in
        (header.lidarSize, header.hasConfidence, header.relativeSize) = (nil, false, nil)
        (header.truthSize, header.predictions) = (nil, [])
      } == "it has no depth")
    #expect(reason { $0.frameCount = 0 } == "it has no frames")
    #expect(reason { $0.frameIDs = ["a"] } == "it has 1 frame ids for 3 frames")
    #expect(reason { $0.timestampsSeconds = [] } == "it has 0 times for 3 frames")
    #expect(reason { $0.lidarSize = nil } == "it has confidence but no LiDAR")
    #expect(reason { $0.truthSize?.width = 0 } == "an array has no pixels")
    #expect(reason({ _ in }, compression: 10) == "gzip has no level 10")
    #expect(reason { _ in } == "accepted")
  }

  @Test func objectsMustFitTheirScene() throws {
    var writer = try DatasetWriter(creating: folder.path("out.h5"), attributes: DatasetAttributes())
    try writer.addScene(KnownScene.header)
    func reason(_ change: (inout SceneObjects) -> Void) -> String {
      var objects = KnownScene.objects
      change(&objects)
      do { try writer.writeObjects(objects, to: KnownScene.header.name) } catch { return error.reason }
      return "accepted"
    }
    #expect(reason { $0.objects[0].frame = 3 } == "an object names frame 3 of 3")
    #expect(
      reason { $0.objects[1].mask = nil } == "its masks differ in resolution, or some are missing")
    #expect(reason { _ in } == "accepted")
    #expect(reason { _ in } == "the scene has objects already")
  }

  @Test func aSceneWithoutAnyDetectionKeepsItsGroup() throws {
    let path = folder.path("out.h5")
    var writer = try DatasetWriter(creating: path, attributes: DatasetAttributes())
    try writer.addScene(KnownScene.header)
    for index in 0..<3 { try writer.write(KnownScene.frame(index), to: KnownScene.header.name) }
    try writer.writeObjects(SceneObjects(objects: []), to: KnownScene.header.name)
    try writer.commit()
    let reader = try DatasetReader(readingFrom: path)
    #expect(try reader.objects(of: reader.scenes[0])?.objects.isEmpty == true)
  }
}
