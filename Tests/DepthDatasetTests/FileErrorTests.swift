import DepthCore
import DepthDataset
import DepthFusion
import Foundation
import FathomHDF5
import FathomStorage
import FathomTestSupport
import Testing

/// Failures of whole files.
@Suite struct FileErrorTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func error(ofOpening path: String) throws -> FathomError {
    try #require(throws: FathomError.self) { _ = try DatasetReader(readingFrom: path) }
  }

  @Test func aMissingFile() throws {
    let path = folder.path("absent.h5")
    let error = try error(ofOpening: path)
    #expect(error.kind == .noInput)
    #expect(
      error.description
        == "cannot open the data set: \(path): there is no such file or folder; check the path")
    #expect(try self.error(ofOpening: folder.url.path).reason == "it is a folder")
  }

  @Test func aFileThatIsNotHDF5() throws {
    let path = folder.path("text.h5")
    try Data("no HDF5".utf8).write(to: URL(filePath: path))
    for mode in [ValidationMode.strict, .lenient] {
      let error = try #require(throws: FathomError.self) {
        _ = try DatasetReader(readingFrom: path, validation: mode)
      }
      #expect(error.kind == .badData)
      #expect(
        error.description == "cannot open the data set: \(path): it is not an HDF5 file; "
          + "give an HDF5 file as Datasets/SCHEMA.md describes it")
    }
  }

  @Test func aTruncatedFile() throws {
    let (whole, path) = (folder.path("whole.h5"), folder.path("half.h5"))
    try KnownScene.write(to: whole)
    let bytes = try Data(contentsOf: URL(filePath: whole))
    try bytes.prefix(bytes.count / 2).write(to: URL(filePath: path))
    let error = try error(ofOpening: path)
    #expect(error.kind == .badData)
    #expect(
      error.description == "cannot open the data set: \(path): it is truncated: shorter than its own header "
        + "says; copy it again, or write it again")
  }

  /// Damage to compressed frames only: libhdf5 1.10 itself crashes on some damage to its own heaps.
  @Test func aDamagedFrameIsAnErrorThatNamesIt() throws {
    let (whole, path) = (folder.path("whole.h5"), folder.path("damaged.h5"))
    try KnownScene.write(to: whole)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: whole)))
    let streams = bytes.indices.dropLast(40).filter { bytes[$0] == 0x78 && bytes[$0 + 1] == 0x5E }
    #expect(streams.count >= 3 * 5)  // five compressed arrays of three frames
    for start in streams {
      var damaged = bytes
      for index in start..<start + 8 { damaged[index] = 0xA5 }
      try Data(damaged).write(to: URL(filePath: path))
      let error = try #require(throws: FathomError.self) {
        let reader = try DatasetReader(readingFrom: path)
        for scene in reader.scenes {
          for index in 0..<scene.frameCount { _ = try reader.frame(index, of: scene, including: .all) }
          _ = try reader.objects(of: scene)
        }
      }
      #expect(error.kind == .badData)
      #expect(error.reason == "its compressed data is damaged")
      #expect(error.object?.hasPrefix("scenes/küche 1/") == true)
      #expect(error.attempted.hasSuffix("of scene 'küche 1'"))
    }
  }

  @Test func anHDF5FileThatIsNoDataSet() throws {
    let path = folder.path("foreign.h5")
    let file = try HDF5File(creating: path)
    try file.createGroup("data")
    try file.close()
    let error = try error(ofOpening: path)
    #expect(error.kind == .badData)
    #expect(
      error.description == "cannot read the data set: \(path): /: it has no attribute format, so it is not a "
        + "Fathom data set; convert it, or set format = 'fathom', version = 1")
    let lenient = try DatasetReader(readingFrom: path, validation: .lenient)
    #expect(lenient.scenes.isEmpty)
    #expect(lenient.issues.map(\.object) == ["/", "scenes"])
  }

  @Test func anotherFormatOrVersion() throws {
    func reason(_ format: String, _ version: HDF5Attribute?) throws -> String {
      let path = folder.path("version.h5")
      let file = try HDF5File(creating: path)
      try file.setAttribute("format", to: .string(format))
      if let version { try file.setAttribute("version", to: version) }
      try file.createGroup("scenes")
      try file.close()
      let error = try error(ofOpening: path)
      #expect(error.object == "/" || error.object == "scenes")
      return error.reason
    }
    #expect(
      try reason("tartan", .integer(1)) == "its attribute format is 'tartan', so it is not a Fathom data set")
    #expect(
      try reason("fathom", .integer(4)) == "its schema version is 4; this program reads versions 1 to 3")
    #expect(
      try reason("fathom", .string("1")) == "its schema version is '1'; this program reads versions 1 to 3")
    #expect(try reason("fathom", nil) == "it has no attribute version; this program reads versions 1 to 3")
    #expect(try reason("fathom", .integer(1)) == "it holds no scenes")
  }
}
