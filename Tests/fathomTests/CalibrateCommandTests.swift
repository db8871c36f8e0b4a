import FathomRuns
import ArgumentParser
import DepthCalibration
import DepthCore
import DepthFusion
import DepthSynthesis
import Foundation
import FathomStorage
import FathomStudies
import FathomTestSupport
import Testing

@testable import FathomCommandLine

@Suite("fathom calibrate")
struct CalibrateCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  private func rows(_ name: String) throws -> [[String: String]] {
    let lines = try text(name).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  /// Twelve small scenes with a known noise law.
  private func knownLaw() async throws -> String {
    var options = SynthesisPreset.noiseLaw.options
    options.sceneCount = 12
    let path = folder.path("law.h5")
    try await SyntheticDataset.write(options, to: path, jobs: 2)
    return path
  }

  @Test("finds a known law, judges itself honest, and evaluate applies what it wrote")
  func knownNoise() async throws {
    let data = try await knownLaw()
    #expect(await run("calibrate", data, "--output", folder.path("a"), "--jobs", "1", "--quiet") == nil)
    let laws = try #require(SynthesisPreset.noiseLaw.options.noiseLaw)
    let noise = try rows("a/noise.csv")
    for (level, law) in laws.enumerated() {
      for (parameter, truth) in [("a_m", law.a), ("b", law.b)] {
        let row = noise.first { $0["confidence"] == "\(level)" && $0["parameter"] == parameter }
        let ends = try ["value_low", "value_high"].map { try #require(Double(row?[$0] ?? "")) }
        // One interval in twenty misses by a little: half its width more on either side.
        let slack = (ends[1] - ends[0]) / 2
        #expect(ends[0] - slack <= truth && truth <= ends[1] + slack, "\(parameter) of \(level)")
      }
    }
    #expect(
      try text("a/report.md").split(separator: "\n").contains {
        $0.contains("Confidence 2: ") && $0.contains("the noise model is honest")
      })
    let calibration = try CalibrationFile.calibration(at: folder.path("a/calibration.yaml"))
    #expect(calibration.confidenceWeights[2] == 1 && calibration.confidenceWeights[1] < 0.2)
    #expect(calibration.noise.count == 3 && calibration.correction == .identity)
    let applied = await run(
      "evaluate", data, "--calibration", folder.path("a/calibration.yaml"), "--methods", "wls", "--scenes",
      "room-01", "--output", folder.path("run"), "--quiet")
    #expect(applied == nil)

    #expect(await run("calibrate", data, "--output", folder.path("b"), "--jobs", "3", "--quiet") == nil)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path("a")).sorted()
    #expect(names.count { $0.hasSuffix(".svg") } == 20 && names.contains("calibration.json"))
    for name in names where !["figures"].contains(name) {
      #expect(try text("a/\(name)") == text("b/\(name)"), "\(name)")
    }
  }

  @Test(
    "the terminal names the command once, with the file that was written",
    .enabled(if: BuiltCommand.path != nil, BuiltCommand.comment))
  func namesTheFile() throws {
    let output = folder.path("out")
    let answer = try BuiltCommand(
      ["calibrate", sample, "--output", output, "--no-figures"], in: FileManager.default.temporaryDirectory,
      seconds: 120)
    #expect(answer.code == 0, "\(answer.errors)")
    #expect(answer.output.components(separatedBy: "--calibration \(output)/calibration.yaml").count == 2)
    #expect(answer.output.components(separatedBy: "calibration.yaml").count == 2)
  }

  @Test(
    "a level that measures too near is named, and single findings are folded",
    .enabled(if: PackageFiles.realData != nil, "the real recordings are absent; set FATHOM_REAL_DATA"))
  func namesTheBias() async throws {
    let phone = PackageFiles.realDataPath("sources/stray")
    #expect(
      await run(
        "calibrate", phone, "--truth", "multiview", "--output", folder.path("phone"), "--no-figures",
        "--quiet")
        == nil)
    let report = try text("phone/report.md").split(separator: "\n")
    let bias = try #require(report.first { $0.hasPrefix("**Bias.**") })
    #expect(bias.contains("confidence 0 measures 152 mm too near") && !bias.contains("confidence 2"))
    #expect(try text("phone/report.html").contains("<summary class=\"show\">"))
  }

  @Test("a folder that exists is kept, and nothing partial is left of a run that fails")
  func folders() async throws {
    let output = folder.path("out")
    #expect(await run("calibrate", sample, "--output", output, "--no-figures", "--quiet") == nil)
    #expect(!folder.exists("out/figures"))
    #expect(try !text("out/report.md").contains("!["))
    let again = await run("calibrate", sample, "--output", output, "--no-figures", "--quiet")
    #expect(again?.code.rawValue == 73)
    #expect(
      await run("calibrate", sample, "--output", output, "--overwrite", "--no-figures", "--quiet") == nil)
    #expect(!folder.exists("out.partial"))
  }

  @Test("without truth it says what could serve instead")
  func noTruth() async throws {
    for (hasPoses, advice) in [(true, "try --truth multiview"), (false, "add truth, or poses")] {
      let data = folder.path("no-truth-\(hasPoses).h5")
      try sampleCopy(to: data) { header in
        header.truthSize = nil
        if !hasPoses { header.hasPoses = false }
      } frame: { frame in
        frame.truth = nil
        if !hasPoses { frame.worldFromCamera = nil }
      }
      let failure = await run("calibrate", data, "--output", folder.path("out"), "--quiet")
      #expect(failure?.code.rawValue == 65 && failure?.message.contains(advice) == true)
      #expect(failure?.message.contains(data) == true)
      #expect(!folder.exists("out") && !folder.exists("out.partial"))
    }
  }

  @Test("truth that no LiDAR pixel meets is refused with the reason")
  func noMeeting() async throws {
    let failure = await run(
      "calibrate", sample, "--output", folder.path("out"), "--max-truth", "0.2", "--quiet")
    #expect(failure?.code.rawValue == 65 && failure?.message.contains("out of range at") == true)
    #expect(!folder.exists("out.partial"))
  }

  @Test("without confidence all counts as level 2, and the report says so")
  func noConfidence() async throws {
    let data = folder.path("plain.h5")
    try sampleCopy(to: data) {
      $0.hasConfidence = false
    } frame: {
      $0.confidence = nil
    }
    #expect(await run("calibrate", data, "--output", folder.path("out"), "--no-figures", "--quiet") == nil)
    #expect(Set(try rows("out/levels.csv").compactMap { $0["confidence"] }) == ["2", "all"])
    #expect(
      try text("out/report.md").contains("There is no confidence map: every pixel counts as confidence 2"))
    let calibration = try CalibrationFile.calibration(at: folder.path("out/calibration.yaml"))
    #expect(calibration.confidenceWeights == [0, 0, 1] && Set(calibration.noise).count == 1)
    #expect(try text("out/calibration.yaml").contains("unmeasured: [0, 1]"))
    #expect(try rows("out/monotonicity.csv").isEmpty)
    let verdict = try CanonicalJSON.value(CalibrationVerdict.self, from: try text("out/verdict.json"))
    #expect(verdict.confidenceMaps == .none && verdict.order == nil && verdict.orders.isEmpty)
    #expect(verdict.levels.map(\.reason) == [nil, .tooFewPixels, .tooFewPixels])
  }

  @Test("one scene has values and intervals that are valid within it only")
  func oneScene() async throws {
    var options = SynthesisPreset.noiseLaw.options
    (options.sceneCount, options.framesPerScene) = (1, 6)
    let data = folder.path("one.h5")
    try await SyntheticDataset.write(options, to: data, jobs: 2)
    #expect(await run("calibrate", data, "--no-figures", "--quiet", "--output", folder.path("out")) == nil)
    let levels = try rows("out/levels.csv")
    let row = try #require(levels.first { $0["confidence"] == "2" && $0["from_m"] == "" })
    #expect(row["mae_m_low"] == "" && row["within_scene_mae_m_low"] != "" && row["scenes"] == "1")
    #expect(try text("out/report.md").contains("**not valid beyond that scene**"))
  }

  @Test(
    "wrong options are wrong usage",
    arguments: [["--jobs", "0"], ["--min-truth", "-1"], ["--max-truth", "0.05"], ["--output", ""]])
  func usage(_ options: [String]) async {
    #expect(await run(["calibrate", sample] + options)?.code.rawValue == 64)
  }

  @Test(
    "a phone's recording: 2 < 1 < 0 in 8 of 8 frames, medians 0.40, 1.05 and 2.2 %",
    .enabled(if: PackageFiles.realData != nil, Comment(rawValue: PackageFiles.noRealData)))
  func phone() async throws {
    let data = PackageFiles.realDataPath("iphone-stray.h5")
    #expect(await run("calibrate", data, "--output", folder.path("out"), "--no-figures", "--quiet") == nil)
    let order = try #require(try rows("out/monotonicity.csv").first { $0["order"] == "2 < 1 < 0" })
    #expect(order["frames"] == "8" && order["frames_in_order"] == "8")
    let levels = try rows("out/levels.csv").filter { $0["from_m"] == "" }
    for (level, median) in [("2", 0.00397), ("1", 0.01053), ("0", 0.02226)] {
      let row = levels.first { $0["confidence"] == level }
      let found = try #require(Double(row?["median_rel_pooled"] ?? ""))
      // The histogram's bins are 0.3 % wide.
      #expect(abs(found / median - 1) < 0.005)
      #expect(row?["median_rel_low"] == "" && row?["within_scene_median_rel_low"] != "")
    }
    #expect(try text("out/report.md").contains("The truth is not independent of the LiDAR (multiview)"))
  }
}
