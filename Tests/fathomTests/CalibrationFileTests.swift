import DepthEvaluation
import FathomRuns
import ArgumentParser
import DepthCore
import DepthFusion
import Foundation
import FathomStudies
import FathomTestSupport
import Testing

@testable import FathomCommandLine

@Suite("Weights and guards on the command line")
struct CalibrationFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String) throws -> String {
    let path = folder.path("calibration.yaml")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func options(_ arguments: [String], config: String? = nil) throws -> FusionOptions {
    try PlannedEvaluation(EvaluationFlags.parse(arguments), config: config).plan.options
  }

  @Test("a calibration becomes the weight, unless another is asked for")
  func calibration() throws {
    let path = try write(
      "noise:\n- {a: 0.02, b: 0.05}\n- {a: 0.01, b: 0.016}\n- {a: 0.004, b: 0.004}\n")
    let found = try options(["--calibration", path])
    #expect(found.weights == .calibration)
    #expect(found.noiseModel?.noise[1] == RangeLaw(a: 0.01, b: 0.016))
    #expect(try options(["--calibration", path, "--weights", "range"]).weights == .range)
    let config = folder.path("config.yaml")
    try Data("calibration: \(path)\nkept-share: 0.8\n".utf8).write(to: URL(fileURLWithPath: config))
    let configured = try options([], config: config)
    #expect(configured.noiseModel == found.noiseModel && configured.keptShare == 0.8)
  }

  @Test("all that a calibration says is applied; weights that were asked for stay")
  func whole() throws {
    let path = try write(
      """
      format: fathom-calibration
      version: 1
      source: {files: [{file: a.h5, sha256: 00}]}
      correction: {scale: 1.01, offset: -0.004}
      registration: {x: 0.7, y: -0.4}
      confidence-weights: [0.01, 0.2, 1]
      noise: [{a: 0.02, b: 0.05}, {a: 0.01, b: 0.016}, {a: 0.004, b: 0.004}]
      """)
    let found = try options(["--calibration", path])
    #expect(found.correction == LidarCorrection(scale: 1.01, offset: -0.004))
    #expect(found.registration == PixelOffset(x: 0.7, y: -0.4))
    #expect(found.confidenceWeights == [0.01, 0.2, 1])
    let asked = try options(["--calibration", path, "--confidence-weights", "0,0.05,1"])
    #expect(asked.confidenceWeights == [0, 0.05, 1] && asked.correction == found.correction)
    let scales = try options([
      "--calibration",
      try write(
        """
        deviation:
        - {method: auto, scale: 1.4}
        - {method: auto, confidence: 2, from: 0.5, to: 1, scale: 1.2}
        """),
    ])
    #expect(
      scales.deviationScales == [
        DeviationScale("auto", 1.4), DeviationScale("auto", 1.2, confidence: 2, from: 0.5, to: 1),
      ] && scales.weights == nil)
    let identity = try options(["--calibration", try write("correction: {scale: 1, offset: 0}\n")])
    #expect(identity == FusionOptions())
  }

  @Test(
    "a calibration that cannot be used is refused in one line that says what is wrong",
    arguments: [
      ("noise: 3\n", "'noise' is not a list"), ("noise:\n- {a: 1, b: 0}\n", "three laws"),
      ("a: [\n", "fix the YAML"),
      ("noise:\n- {a: 0, b: 0}\n- {a: 1, b: 0}\n- {a: 1, b: 0}\n", "three laws"),
      ("# nothing\n", "holds none of"), ("format: fathom-calibration\n", "holds none of"),
      ("format: other\n", "format is 'other'"),
      ("version: 2\ncorrection: {scale: 1, offset: 0}\n", "version 1"),
      ("corection: {scale: 1, offset: 0}\n", "did you mean 'correction'?"),
      ("correction: {scale: 1, shift: 0}\n", "unknown key 'shift'"),
      ("correction: {scale: 1}\n", "'correction.offset' is missing"),
      ("correction: {scale: -1, offset: 0}\n", "is implausible"),
      ("registration: {x: .nan, y: 0}\n", "registration: x"),
      ("noise: [{a: 1, c: 0}]\n", "unknown key 'c'"),
      ("noise: [{a: 1, b: x}]\n", "'noise[0].b' is not a number"),
      ("confidence-weights: [0, 0, 0]\n", "not all 0"), ("confidence-weights: [0, 1]\n", "three weights"),
      ("confidence-weights: {high: 1}\n", "takes no keys"),
      ("deviation: [{method: auto}]\n", "'deviation[0].scale' is missing"),
      ("deviation: [{method: auto, scale: 0}]\n", "must be above 0"),
      ("deviation: [{method: auto, scale: 1, from: 2}]\n", "or none of them"),
      ("deviation: [{method: auto, scale: 1, level: 2}]\n", "unknown key 'level'"),
      (
        "confidence-weights: [1, 0.5, 0.1]\nnoise: [{a: 0.3, b: 0}, {a: 0.2, b: 0}, {a: 0.1, b: 0}]\n",
        "0 is the noisier one"
      ),
    ])
  func badCalibration(_ text: String, _ reason: String) throws {
    let path = try write(text)
    #expect { try options(["--calibration", path]) } throws: { error in
      guard let failure = Failure(error) else { return false }
      return failure.code.rawValue == 65 && !failure.message.contains("\n")
        && failure.message.contains(reason) && failure.message.contains("calibration.yaml")
    }
    #expect { try options(["--calibration", folder.path("none.yaml")]) } throws: { error in
      Failure(error)?.code.rawValue == 66
    }
  }

  @Test(
    "wrong values are wrong usage",
    arguments: [
      ["--weights", "calibration"], ["--weights", "depth"], ["--range-sigma", "0,0"],
      ["--tukey-threshold", "0"],
      ["--kept-share", "0.4"], ["--min-rank-correlation", "1.5"], ["--min-scale-ratio", "-1"],
      ["--min-scale-ratio", "2", "--max-scale-ratio", "1"],
    ])
  func usage(_ arguments: [String]) { #expect(throws: (any Error).self) { try options(arguments) } }

  @Test("every option has its flag")
  func flags() throws {
    let found = try options([
      "--weights", "range", "--range-sigma", "0.01,0.02", "--tukey-threshold", "6", "--min-rank-correlation",
      "0.5",
      "--min-scale-ratio", "0.1", "--max-scale-ratio", "10",
    ])
    var expected = FusionOptions()
    expected.weights = .range
    expected.rangeSigma = RangeLaw(a: 0.01, b: 0.02)
    expected.tukeyThreshold = 6
    expected.minRankCorrelation = 0.5
    (expected.minScaleRatio, expected.maxScaleRatio) = (0.1, 10)
    #expect(found == expected)
  }
}
