import FathomRuns
import ArgumentParser
import DepthCore
import DepthDataset
import DepthFusion
import DepthSynthesis
import Foundation
import FathomStudies
import FathomTestSupport
import Testing

@testable import FathomCommandLine

@Suite("fathom calibrate: corrections, gain and multi-view truth")
struct CalibrateOptionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func calibrate(_ data: String, _ output: String, _ options: String...) async -> Failure? {
    await run(["calibrate", data, "--output", folder.path(output), "--no-figures", "--quiet"] + options)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: folder.path(path), encoding: .utf8)
  }

  /// Small rooms with many frames and no truth.
  private func posed(_ path: String, frames: Int, change: (inout SceneHeader) -> Void = { _ in }) throws {
    var options = SynthesisPreset.sample.options
    (options.sceneCount, options.framesPerScene) = (1, frames)
    options.lidarSize = RasterSize(width: 64, height: 48)
    options.truthSize = options.lidarSize
    options.relativeSize = RasterSize(width: 65, height: 49)
    options.colourSize = RasterSize(width: 16, height: 12)
    let scene = SyntheticScene(options: options, index: 0)
    var header = scene.header
    (header.truthSize, header.colourSize) = (nil, nil)
    change(&header)
    var writer = try DatasetWriter(creating: path, attributes: DatasetAttributes())
    try writer.addScene(header)
    for index in 0..<frames {
      var frame = scene.frame(index)
      (frame.truth, frame.image) = (nil, nil)
      if !header.hasPoses { (frame.worldFromCamera, frame.intrinsics) = (nil, nil) }
      try writer.write(frame, to: header.name)
    }
    try writer.commit()
  }

  @Test("the folder holds correction, registration, drift and gain, the same for any number of jobs")
  func files() async throws {
    #expect(await calibrate(sample, "one", "--jobs", "1") == nil)
    #expect(await calibrate(sample, "three", "--jobs", "3") == nil)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("one")) {
      #expect(try text("one/" + name) == text("three/" + name), "\(name)")
    }
    for name in ["correction", "registration", "drift", "scales", "gain"] {
      #expect(try text("one/\(name).csv").split(separator: "\n").count > 1, "\(name)")
    }
    let yaml = try text("one/calibration.yaml")
    #expect(yaml.contains("correction: {scale: 1.0, offset: 0.0}"))
    #expect(try CalibrationFile.calibration(at: folder.path("one/calibration.yaml")).noise.count == 3)
    #expect(try text("one/report.md").contains("fewer than 4 scenes cannot show that it holds elsewhere"))
  }

  @Test("posed frames without truth calibrate each other")
  func multiview() async throws {
    try posed(folder.path("posed.h5"), frames: 9)
    let refusal = await calibrate(folder.path("posed.h5"), "stored")
    #expect(refusal?.code.rawValue == 65 && refusal?.message.contains("--truth multiview") == true)
    #expect(await calibrate(folder.path("posed.h5"), "posed", "--truth", "multiview") == nil)
    let report = try text("posed/report.md")
    #expect(
      report.contains("## Reference from neighbouring frames") && report.contains("Shared systematic error"))
    let json = try text("posed/calibration.json")
    #expect(json.contains("\"truthIndependence\" : \"multiview\"") && json.contains("\"fewestViews\" : 6"))
    #expect(try text("posed/correction.csv").contains(",no"))
    // Every frame has its row.
    #expect(try text("posed/frames.csv").split(separator: "\n").count == 10)
  }

  @Test(
    "a phone's sequence against its own frames says what the stored reference of other frames says",
    .enabled(if: PackageFiles.realData != nil, Comment(rawValue: PackageFiles.noRealData)))
  func phone() async throws {
    let data = PackageFiles.realDataPath("iphone-stray.h5")
    let failure = await calibrate(
      data, "phone", "--truth", "multiview", "--scenes", "room-consecutive", "--jobs", "2")
    #expect(failure == nil)
    let lines = try text("phone/levels.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let (from, pooled) = (
      try #require(lines[0].firstIndex(of: "from_m")),
      try #require(lines[0].firstIndex(of: "median_rel_pooled"))
    )
    // Near 0.4, 1.05 and 2.2 % with the stored one; frames of half a second share more of their noise.
    for (level, range) in [("2", 0.002...0.005), ("1", 0.008...0.016), ("0", 0.015...0.035)] {
      let row = try #require(lines.first { $0[0] == level && $0[from].isEmpty })
      let median = try #require(Double(row[pooled]))
      #expect(range.contains(median), "\(level): \(median)")
    }
    let frames = try text("phone/frames.csv").split(separator: "\n").dropFirst()
    #expect(frames.count == 30 && frames.count { $0.contains(",yes,") } >= 28)
    #expect(try text("phone/calibration.yaml").contains("correction: {scale: 1.0, offset: 0.0}"))
  }

  @Test("scenes that have no such reference are refused in one line that says why and what to do")
  func refusals() async throws {
    let cases: [(String, Int, (inout SceneHeader) -> Void, String)] = [
      ("few", 6, { _ in }, "it has 6 frames, at least 7 are needed"),
      ("axes", 8, { $0.cameraConvention = .unknown }, "fathom diagnose"),
      ("poses", 8, { ($0.hasPoses, $0.intrinsics) = (false, nil) }, "it has no poses"),
    ]
    for (name, frames, change, words) in cases {
      try posed(folder.path(name + ".h5"), frames: frames, change: change)
      let failure = await calibrate(folder.path(name + ".h5"), name, "--truth", "multiview")
      #expect(failure?.code.rawValue == 65, "\(name)")
      #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "no failure")")
      #expect(!folder.exists(name) && !folder.exists(name + ".partial"))
    }
    let usage = await run("calibrate", sample, "--truth", "laser", "--output", folder.path("x"))
    #expect(usage?.code.rawValue == 64)
  }
}
