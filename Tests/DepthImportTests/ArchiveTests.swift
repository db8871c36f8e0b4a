import DepthCore
import DepthDataset
import DepthImport
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@Suite struct ArchiveTests {
  /// The files of a small recording of Stray Scanner.
  private static func made(_ recording: MadeRecording) throws -> MadeFolder {
    let folder = try MadeFolder()
    for name in try FileManager.default.subpathsOfDirectory(atPath: recording.path) {
      guard let data = FileManager.default.contents(atPath: recording.path + "/" + name) else { continue }
      folder.add(name, Array(data))
    }
    return folder
  }

  @Test func anArchiveIsReadAsTheFolderThatIsInIt() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    let (folder, files) = (try made.open(), try Self.made(made))
    let expected = folder.scenes[0]
    for path in [
      try files.asZip("3f2a9c01bd.zip", below: "scan/"), try files.asZip("scan.zip"),
      try files.asTar("other.tar", below: "scan/"),
    ] {
      let packed = try FolderRecording(path)
      let scene = packed.scenes[0]
      #expect(packed.format == "stray" && scene == expected)
      for index in 0..<expected.frameCount {
        let (a, b) = (
          try folder.frame(index, of: expected, including: .all),
          try packed.frame(index, of: scene, including: .all)
        )
        #expect(a.lidar == b.lidar && a.confidence == b.confidence && a.worldFromCamera == b.worldFromCamera)
      }
      // It changed if the archive did.
      try packed.sources.requireUnchanged()
      try Data([1]).write(to: URL(fileURLWithPath: path))
      #expect(throws: FathomError.self) { try packed.sources.requireUnchanged() }
    }
  }

  @Test("maps of a network beside a recording may be an archive")
  func mapsInAnArchive() throws {
    let made = try MadeRecording(frames: 2), maps = try MadeFolder()
    defer { withExtendedLifetime((made, maps)) {} }
    for frame in 0..<2 { maps.add("00000\(frame).png", made.depth(frame)) }
    func values(_ path: String) throws -> [[Float]] {
      var request = RecordingRequest(made.path)
      request.options.maps = [
        MapRequest(name: nil, path: path, meaning: .depth),
        MapRequest(name: "net", path: path, meaning: .millimetres),
      ]
      let recording = try request.opened()
      return try (0..<2).flatMap { index in
        let frame = try recording.frame(index, of: recording.scenes[0], including: .all)
        return [frame.relative?.values ?? [], frame.predictions.first?.map.values ?? []]
      }
    }
    let wanted = try values(try maps.asFolder("maps"))
    #expect(wanted[2] == MadeRecording.millimetres(1).map { Float($0) })
    for path in [try maps.asZip("maps.zip", below: "maps/"), try maps.asTar("maps.tar")] {
      #expect(try values(path) == wanted)
    }
  }

  @Test func aFolderThatHoldsOnlyAnArchiveIsReadAsThatArchive() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    let files = try Self.made(made)
    let zip = URL(fileURLWithPath: try files.asZip("scan.zip"))
    let box = zip.deletingLastPathComponent().appendingPathComponent("box")
    try FileManager.default.createDirectory(at: box, withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: zip, to: box.appendingPathComponent("scan.zip"))
    try Data([1]).write(to: box.appendingPathComponent(".hidden"))
    #expect(try RecordingRequest(box.path).opened().scenes == (try made.open().scenes))
    try Data([1]).write(to: box.appendingPathComponent("more.txt"))
    #expect(throws: FathomError.self) { try RecordingRequest(box.path).opened() }
  }

  @Test func anArchiveThatLeadsOutIsOneLine() throws {
    let files = try MadeFolder()
    defer { withExtendedLifetime(files) {} }
    files.add("../odometry.csv", "x")
    do {
      _ = try FolderRecording(try files.asZip("scan.zip"))
      Issue.record("an entry beside the folder was unpacked")
    } catch let error as FathomError {
      #expect(error.kind == .badData && error.reason.contains("'../odometry.csv' leads out of the folder"))
      #expect(!error.description.contains("\n"))
    }
  }
}
