import DepthCore
import DepthDataset
import FathomHDF5
import FathomStorage
import FathomTestSupport
import Testing

/// Schema version 2: pictures of some frames, and where a scene was imported from.
@Suite struct PartialScenesTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let size = RasterSize(width: 2, height: 1)
  private var header: SceneHeader {
    var header = SceneHeader(name: "s", frameCount: 3)
    (header.lidarSize, header.colourSize, header.imageFrames) = (Self.size, Self.size, [0, 2])
    header.importRecord = ImportRecord(
      format: "stray", recording: "küche",
      entries: [.init(.declared, "depth", "in millimetres"), .init(.dropped, "7.png", "cut short")])
    return header
  }

  private func write(_ header: SceneHeader, to path: String) throws {
    var writer = try DatasetWriter(creating: path, attributes: DatasetAttributes())
    try writer.addScene(header)
    for index in 0..<3 {
      var frame = DepthFrame(index: index, lidar: Raster(width: 2, height: 1, filledWith: 1))
      if header.imageFrames?.contains(index) ?? (header.colourSize != nil) {
        frame.image = Raster(width: 2, height: 1, filledWith: RGB(red: UInt8(index), green: 1, blue: 2))
      }
      try writer.write(frame, to: "s")
    }
    try writer.commit()
  }

  @Test func picturesOfSomeFramesAndTheRecordComeBack() throws {
    let path = folder.path("two.h5")
    try write(header, to: path)
    let reader = try DatasetReader(readingFrom: path)
    #expect(reader.schemaVersion == 2 && reader.scenes == [header] && reader.issues.isEmpty)
    let reds = try (0..<3).map { try reader.frame($0, of: header, including: .image).image?.values[0].red }
    #expect(reds == [0, nil, 2])
    let inspection = try DatasetInspection(inspecting: path)
    #expect(inspection.schemaVersion == 2 && inspection.isValid)
    #expect(
      inspection.scenes[0].pictureCount == 2 && inspection.scenes[0].importRecord == header.importRecord)
  }

  @Test func whatNeedsNoVersion2IsWrittenAsVersion1() throws {
    var plain = header
    (plain.imageFrames, plain.importRecord) = (nil, nil)
    try write(plain, to: folder.path("one.h5"))
    #expect(try DatasetReader(readingFrom: folder.path("one.h5")).schemaVersion == 1)
  }

  @Test(arguments: [[0, 3], [2, 0], [1, 1], [0], [-1, 0]])
  func pictureFramesThatCannotBeAreRefused(_ frames: [Int]) throws {
    let path = folder.path("bad.h5")
    try write(header, to: path)
    do {
      let file = try HDF5File(updating: path)
      try file.remove("scenes/s/image/frame")
      try file.createDataset("scenes/s/image/frame", shape: [frames.count], of: Int32.self)
        .write(frames.map { Int32($0) })
      try file.close()
    }
    #expect(throws: FathomError.self) { _ = try DatasetReader(readingFrom: path).scenes }
    let lenient = try DatasetReader(readingFrom: path, validation: .lenient)
    #expect(lenient.scenes[0].colourSize == nil)
    #expect(lenient.issues.contains { $0.severity == .error && $0.object.hasPrefix("scenes/s/image") })
  }

  @Test func aWriterRefusesPicturesOfFramesThatAreNone() throws {
    var wrong = header
    wrong.imageFrames = [2, 1]
    #expect(throws: FathomError.self) { try write(wrong, to: folder.path("x.h5")) }
    wrong.imageFrames = [0, 3]
    #expect(throws: FathomError.self) { try write(wrong, to: folder.path("x.h5")) }
  }
}
