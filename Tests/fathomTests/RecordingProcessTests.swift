import DepthCore
import DepthDataset
import Foundation
import FathomHDF5
import FathomPictureFiles
import FathomStorage
import FathomTestSupport
import Testing

@testable import DepthImport

/// Recordings and maps that another process reads: what it says is what this process would have read, and its end is one sentence.
@Suite("recording process", .enabled(if: BuiltCommand.path != nil, BuiltCommand.comment))
struct RecordingProcessTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try MadeStray.write("scan", in: folder, from: 5, step: 0.001, quaternion: "0, 0.6, 0, 0.8")
  }

  private func remote(
    _ path: String, executable: String? = nil, decodes: Bool = false
  ) throws -> RemoteRecording {
    let program = try #require(executable ?? BuiltCommand.path)
    return try RemoteRecording(RecordingRequest(path), program, MapArchives([]), decodes: decodes)
  }

  private func expectEqual(_ near: some Recording, _ far: some Recording) throws {
    #expect(far.scenes == near.scenes && far.sources == near.sources && far.title == near.title)
    #expect(far.evidence == near.evidence)
    for scene in near.scenes {
      for index in 0..<scene.frameCount {
        let (a, b) = (
          try near.frame(index, of: scene, including: .all), try far.frame(index, of: scene, including: .all)
        )
        #expect(a.lidar.values.map(\.bitPattern) == b.lidar.values.map(\.bitPattern))
        #expect(a.confidence?.values == b.confidence?.values && a.intrinsics == b.intrinsics)
        #expect(a.worldFromCamera == b.worldFromCamera && a.timestampSeconds == b.timestampSeconds)
      }
    }
  }

  @Test("a folder gives the same frames, and the layers that protect it")
  func sameData() throws {
    let near = try FolderRecording(folder.path("scan"))
    let far = try remote(folder.path("scan"))
    try expectEqual(near, far)
    #expect(far.protections?.first == "limits" && near.protections == nil)
  }

  @Test("without a file that cannot be decoded, both leave out the same")
  func sameFaults() throws {
    var wall = [UInt16](repeating: 65_200, count: 48)
    for index in 24..<48 { wall[index] = 164 }
    try folder.put(MadePNG.grey16(8, 6, wall), "scan/depth/000001.png")
    let near = try FolderRecording(folder.path("scan")).decodable()
    try expectEqual(near, try remote(folder.path("scan"), decodes: true))
    let far = try remote(folder.path("scan"))
    var unusable: [FolderRecording.UnusableFile] = []
    for index in 0..<4 {
      do throws(RecordingFault) {
        _ = try far.decoded(index, of: far.scenes[0], including: .all)
      } catch {
        if case .unusable(let file) = error { unusable.append(file) }
      }
    }
    #expect(unusable.count == 1)
    try expectEqual(near, try far.without(unusable))
  }

  @Test("what tells whether frames are the same again, and their cameras, are the same")
  func sameFingerprints() throws {
    let (near, far) = (try FolderRecording(folder.path("scan")), try remote(folder.path("scan")))
    let scene = near.scenes[0]
    #expect(try near.fingerprint(1..<3, of: scene) == far.fingerprint(1..<3, of: scene))
    #expect(try far.fingerprint(0..<2, of: scene) != far.fingerprint(1..<3, of: scene))
    #expect(try near.cameras(0..<4, of: scene) == far.cameras(0..<4, of: scene))
    #expect(throws: FathomError.self) { try far.fingerprint(0..<5, of: scene) }
    #expect(throws: FathomError.self) { try near.fingerprint(0..<5, of: scene) }
  }

  @Test(
    "an HDF5 file that a mapping describes is read apart, and the mapping's digest counts; so is what is in it"
  )
  func foreignArrays() throws {
    let path = folder.path("rooms.h5")
    let file = try HDF5File(creating: path)
    try file.createDataset("depths", shape: [3, 18, 20], of: UInt16.self)
      .write((0..<3 * 360).map { UInt16(1000 + $0) })
    try file.close()
    try folder.put(
      """
      name: rooms
      match: {by: number}
      depth: {files: ["*.h5"], array: depths, axes: [frame, height, width], scale: 0.001}
      """, "rooms.yaml")
    var request = RecordingRequest(path)
    request.mapping = folder.path("rooms.yaml")
    let program = try #require(BuiltCommand.path)
    let far = try RemoteRecording(request, program, MapArchives([]), decodes: true)
    let near = try FolderRecording(path, mappedBy: folder.path("rooms.yaml"))
    try expectEqual(near, far)
    #expect(far.scenes[0].frameCount == 3)
    #expect(try far.sources.digests().external.map(\.name) == [folder.path("rooms.yaml")])
  }

  @Test(
    "pictures of a video are the same, though the reader may not start ffmpeg",
    .enabled(if: VideoTools() != nil, "ffmpeg is not installed: make setup-test"))
  func videos() throws {
    let made = Process()
    made.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    made.arguments =
      ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=30", "-frames:v", "4"]
      + ["-c:v", "ffv1", "-pix_fmt", "bgr0", folder.path("scan/rgb.mkv")]
    made.standardInput = FileHandle.nullDevice
    try made.run()
    made.waitUntilExit()
    let program = try #require(BuiltCommand.path)
    for turn in [nil, ImageTurn.clockwise] {
      var request = RecordingRequest(folder.path("scan"))
      request.options.turn = turn
      let far = try RemoteRecording(request, program, MapArchives([]), decodes: true)
      let near = try FolderRecording(folder.path("scan"), as: .recognised, request.options)
      try expectEqual(near, far)
      #expect(
        far.scenes[0].colourSize
          == (turn == nil ? RasterSize(width: 64, height: 48) : RasterSize(width: 48, height: 64)))
      for index in [3, 0, 2] {
        let picture = try far.frame(index, of: far.scenes[0], including: .image).image
        #expect(
          try picture != nil
            && picture?.values == near.frame(index, of: near.scenes[0], including: .image).image?.values)
      }
    }
    // Damaged, it costs the pictures only.
    try folder.put([UInt8](repeating: 7, count: 4000), "scan/rgb.mkv")
    let scene = try remote(folder.path("scan")).scenes[0]
    #expect(scene.frameCount == 4 && scene.colourSize == nil)
  }

  @Test("a folder without a format, and one that is not there, are the same error")
  func sameErrors() throws {
    try folder.put("x", "other/file.txt")
    for name in ["other", "absent"] {
      let near = #expect(throws: FathomError.self) { try FolderRecording(folder.path(name)) }
      let far = #expect(throws: FathomError.self) { try remote(folder.path(name)) }
      #expect(near == far)
    }
  }

  @Test("links that lead out of the folder are refused, those within it are followed")
  func links() throws {
    let manager = FileManager.default
    try manager.moveItem(
      atPath: folder.path("scan/odometry.csv"), toPath: folder.path("scan/depth/odometry.txt"))
    try manager.createSymbolicLink(
      atPath: folder.path("scan/odometry.csv"), withDestinationPath: "depth/odometry.txt")
    #expect(try remote(folder.path("scan")).scenes[0].frameCount == 4)
    try manager.removeItem(atPath: folder.path("scan/odometry.csv"))
    try manager.moveItem(
      atPath: folder.path("scan/depth/odometry.txt"), toPath: folder.path("odometry.csv"))
    try manager.createSymbolicLink(
      atPath: folder.path("scan/odometry.csv"), withDestinationPath: folder.path("odometry.csv"))
    let error = #expect(throws: FathomError.self) { try remote(folder.path("scan")) }
    #expect(error?.kind == .badData && error?.reason == "it is a link that leads out of the folder")
    var request = RecordingRequest(folder.path("scan"))
    request.options.external = .own
    let program = try #require(BuiltCommand.path)
    #expect(try RemoteRecording(request, program, MapArchives([]), decodes: true).scenes[0].frameCount == 4)
    // Beside the recording, and no farther unless the folder is named.
    let other = try TemporaryFolder()
    try manager.moveItem(atPath: folder.path("odometry.csv"), toPath: other.path("odometry.csv"))
    try manager.removeItem(atPath: folder.path("scan/odometry.csv"))
    try manager.createSymbolicLink(
      atPath: folder.path("scan/odometry.csv"), withDestinationPath: other.path("odometry.csv"))
    let far = #expect(throws: FathomError.self) {
      try RemoteRecording(request, program, MapArchives([]), decodes: true)
    }
    #expect(far?.reason == "it is a link that leads out of the folder")
    #expect(far?.advice.contains("external-folder DIR") == true)
    request.options.external = ExternalFolders(named: [other.url.path])
    #expect(try RemoteRecording(request, program, MapArchives([]), decodes: true).scenes[0].frameCount == 4)
  }

  @Test(
    "a reader that dies or gives nonsense is one sentence",
    arguments: ["kill -SEGV $$", "exit 0", "printf '\\0\\0\\0\\0\\0\\0\\0\\0' >&4; sleep 5"])
  func badReader(_ lines: String) throws {
    let program = try folder.put(script: lines, "reader")
    let error = #expect(throws: FathomError.self) { try remote(folder.path("scan"), executable: program) }
    #expect(error?.kind == .badData)
    #expect(
      error?.description.hasPrefix("cannot read the recording: \(folder.path("scan")): the process") == true)
  }

  @Test(
    "many recordings and data sets are open at once with few readers, which come back when they are asked")
  func manyAtOnce() throws {
    var open: [RemoteRecording] = []
    for index in 0..<20 {
      try FileManager.default.copyItem(atPath: folder.path("scan"), toPath: folder.path("scan\(index)"))
      open.append(try remote(folder.path("scan\(index)"), decodes: true))
    }
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let readers = processes.compactMap { pid_t($0) }.filter { number in
      let words = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(number)/cmdline"))) ?? Data()
      return String(decoding: words, as: UTF8.self).contains(folder.url.lastPathComponent)
    }
    #expect(readers.count <= 8)
    let recording = try FolderRecording(folder.path("scan"))
    let near = try recording.frame(2, of: recording.scenes[0], including: .all)
    for source in open {
      let frame = try source.frame(2, of: source.scenes[0], including: .all)
      #expect(frame.lidar.values == near.lidar.values)
    }
  }
}
