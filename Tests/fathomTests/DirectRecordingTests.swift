import DepthCore
import DepthDataset
import DepthImport
import DepthReport
import Foundation
import FathomRuns
import FathomStorage
import FathomTestSupport
import Testing

@testable import FathomCommandLine

/// A recording gives the same numbers whether it is imported first or read directly, and comes back from an export.
@Suite struct DirectRecordingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.putStrayScan("scan")
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
  }

  @Test func bothWaysInspectAlike() throws {
    let recording = try FolderRecording(folder.path("scan"))
    try write(recording, "scan.h5")
    let direct = try DatasetInspection(of: recording)
    let stored = try DatasetInspection(inspecting: folder.path("scan.h5"))
    #expect(direct.isRecording == true && stored.isRecording == nil)
    let (a, b) = (direct.scenes[0], stored.scenes[0])
    #expect(a.arrays.map(\.name) == b.arrays.map(\.name) && a.arrays.map(\.values) == b.arrays.map(\.values))
    #expect(a.arrays[0].values?.minimum == Double(Float(1.5)))
    #expect(a.confidence == b.confidence && a.absent == b.absent && a.intrinsics == b.intrinsics)
  }

  /// As an import does.
  private func write(_ recording: FolderRecording, _ name: String) throws {
    var writer = try DatasetWriter(creating: folder.path(name), attributes: DatasetAttributes())
    for scene in recording.scenes {
      try writer.addScene(scene)
      for index in 0..<scene.frameCount {
        try writer.write(try recording.frame(index, of: scene, including: .all), to: scene.name)
      }
    }
    try writer.commit()
  }

  @Test func bothWaysDrawTheSamePicture() async throws {
    try write(try FolderRecording(folder.path("scan")), "scan.h5")
    for (data, picture) in [("scan", "a.png"), ("scan.h5", "b.png")] {
      #expect(
        await run("render", folder.path(data), "--output", folder.path(picture), "--format", "png", "--quiet")
          == nil)
    }
    #expect(try bytes("a.png") == bytes("b.png"))
  }

  @Test func bothWaysAreDiagnosedAlike() async throws {
    try write(try FolderRecording(folder.path("scan")), "scan.h5")
    let direct = try await DiagnoseJob(folder.path("scan")).run()
    let stored = try await DiagnoseJob(folder.path("scan.h5")).run()
    #expect(!direct.scenes.isEmpty)
    #expect(try CanonicalJSON.text(direct.scenes) == CanonicalJSON.text(stored.scenes))
    // Nothing can be corrected in somebody's recording.
    await #expect(throws: FathomError.self) {
      try await DiagnoseJob(folder.path("scan")).fix(to: folder.path("c.h5"))
    }
  }

  @Test("a frame that cannot be used is named, and refused where everything must be right")
  func droppedFrames() async throws {
    try folder.put(Array("cut off".utf8), "scan/depth/000003.png")
    let arguments = [
      "evaluate", folder.path("scan"), "--truth", "multiview", "--methods", "lidar-bilinear", "--no-gallery",
      "--no-figures", "--quiet", "--output",
    ]
    let refused = try #require(await run(arguments + [folder.path("strict"), "--strict"]))
    #expect(refused.code == Failure.badData)
    #expect(refused.message.hasPrefix("scan: 1 part of the recording is skipped: depth/000003.png ("))
    #expect(!folder.names.contains("strict"))
    let unclear = try #require(await run(arguments + [folder.path("a"), "--strict", "--no-diagnosis"]))
    #expect(unclear.code == Failure.usage)
    var told: [String] = []
    var job = EvaluateJob(DataSelection([folder.path("scan")]))
    job.data.truth = .multiview
    _ = try job.open { event in
      if case .noticed(.dropped(let parts)) = event { told.append(parts.words) }
    }
    #expect(told == [refused.message])
  }

  @Test("a fill value is an error where everything must be right, after the run is written")
  func fillValues() async throws {
    for frame in 0..<9 {
      let values = (0..<192).map { UInt16($0 < 40 ? 32_767 : 1500 + 7 * ($0 % 16) + 40 * frame) }
      try folder.put(MadePNG.grey16(16, 12, values), "scan/depth/00000\(frame).png")
    }
    let failure = try #require(
      await run(
        "evaluate", folder.path("scan"), "--truth", "multiview", "--methods", "lidar-bilinear",
        "--no-gallery", "--no-figures", "--quiet", "--strict", "--output", folder.path("run")))
    #expect(failure.code == Failure.badData)
    #expect(failure.message.contains("are exactly 32.767 m") && failure.message.contains("--invalid 32767"))
    #expect(folder.names.contains("run"))
    let page = String(decoding: try bytes("run/report.md"), as: UTF8.self)
    #expect(page.contains("are exactly 32.767 m"))
  }

  @Test func aRecordingAloneHasErrorsAgainstItself() async throws {
    #expect(
      await run(
        "evaluate", folder.path("scan"), "--truth", "multiview", "--output", folder.path("run"), "--methods",
        "lidar-bilinear", "--no-gallery", "--no-figures", "--no-diagnosis", "--quiet") == nil)
    let manifest = String(decoding: try bytes("run/run.json"), as: UTF8.self)
    #expect(
      manifest.contains("\"truthIndependence\" : \"multiview\"") && manifest.contains("\"multiview\" : {"))
    let report = String(decoding: try bytes("run/report.md"), as: UTF8.self)
    #expect(report.contains("is from the recording itself: it cannot show a gain over the LiDAR"))
    // Without it nothing can be scored.
    #expect(
      await run(
        "evaluate", folder.path("scan"), "--output", folder.path("plain"), "--methods", "lidar-bilinear",
        "--no-gallery", "--no-figures", "--no-diagnosis", "--quiet") == nil)
    #expect(String(decoding: try bytes("plain/report.md"), as: UTF8.self).contains("without truth"))
    guard BuiltCommand.path != nil else { return }
    let answer = try BuiltCommand(
      ["evaluate", folder.path("scan"), "--output", folder.path("shown"), "--no-gallery", "--no-figures"],
      in: FileManager.default.temporaryDirectory, seconds: 120)
    #expect(answer.code == 0 && !answer.output.contains("\n\n"), "\(answer.output)")
  }

  @Test(
    arguments: [
      ("stray", nil, true, true), ("png16", 0.001, false, true), ("npz", 1.0, false, true),
      ("marigold-dc", 1.0, false, false),
    ] as [(String, Double?, Bool, Bool)])
  func whatIsExportedComesBack(_ layout: String, _ scale: Double?, _ hasTimes: Bool, _ hasPoses: Bool)
    async throws
  {
    #expect(
      await run("export", folder.path("scan"), "--as", layout, "--output", folder.path("out"), "--quiet")
        == nil)
    var options = ImportOptions()
    options.depthScale = scale
    let format = layout == "png16" || layout == "npz" ? "folder" : layout
    let (first, second) = (
      try FolderRecording(folder.path("scan")),
      try FolderRecording(folder.path("out"), as: .format(format), options)
    )
    let (a, b) = (first.scenes[0], second.scenes[0])
    #expect(a.frameIDs == b.frameIDs && b.frameCount == 9)
    #expect(b.hasPoses == hasPoses && b.hasConfidence == hasPoses && (b.timestampsSeconds != nil) == hasTimes)
    if hasTimes { #expect(a.timestampsSeconds == b.timestampsSeconds) }
    for index in 0..<9 {
      let (x, y) = (
        try first.frame(index, of: a, including: .all), try second.frame(index, of: b, including: .all)
      )
      #expect(x.lidar == y.lidar)
      if hasPoses {
        #expect(x.confidence == y.confidence)
        let (p, q) = (try #require(x.worldFromCamera).rowMajor, try #require(y.worldFromCamera).rowMajor)
        #expect(zip(p, q).allSatisfy { abs($0 - $1) < 1e-12 })
        #expect(x.intrinsics == y.intrinsics)
      }
    }
    // What the layout has no place for is named.
    let record = String(decoding: try bytes("out/export.json"), as: UTF8.self)
    #expect(record.contains("\"times\"") == !hasTimes && record.contains("\"poses\"") == !hasPoses)
  }
}

extension TemporaryFolder {
  /// Nine small frames as Stray Scanner leaves them.
  func putStrayScan(_ name: String) throws {
    try put("1600, 0, 960\n0, 1600, 720\n0, 0, 1\n", "\(name)/camera_matrix.csv")
    var rows = ["timestamp, frame, x, y, z, qx, qy, qz, qw"]
    for frame in 0..<9 {
      let values = (0..<192).map { UInt16(1500 + 7 * ($0 % 16) + frame) }
      try put(MadePNG.grey16(16, 12, values), "\(name)/depth/00000\(frame).png")
      try put(
        MadePNG.grey8(16, 12, (0..<192).map { UInt8($0 % 5 == 0 ? 1 : 2) }),
        "\(name)/confidence/00000\(frame).png")
      rows.append("\(5 + Double(frame) / 60), \(frame), \(Double(frame) / 1000), 0, 0, 0, 0.6, 0, 0.8")
    }
    try put(rows.joined(separator: "\n") + "\n", "\(name)/odometry.csv")
  }
}
