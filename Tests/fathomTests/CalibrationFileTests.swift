import ArgumentParser
import DepthEvaluation
import DepthFusion
import Foundation
import TestSupport
import Testing

@testable import fathom

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
    try FathomSettings(EvaluationFlags.parse(arguments), config: config).plan.options
  }

  @Test("a calibration becomes the weight, unless another is asked for")
  func calibration() throws {
    let path = try write(
      "noise:\n- {a: 0.02, b: 0.05}\n- {a: 0.01, b: 0.016}\n- {a: 0.004, b: 0.004}\nother: 1\n")
    let found = try options(["--calibration", path])
    #expect(found.weights == .calibration)
    #expect(found.noiseModel?.noise[1] == RangeLaw(a: 0.01, b: 0.016))
    #expect(try options(["--calibration", path, "--weights", "range"]).weights == .range)
    let config = folder.path("config.yaml")
    try Data("calibration: \(path)\nkept-share: 0.8\n".utf8).write(to: URL(fileURLWithPath: config))
    let configured = try options([], config: config)
    #expect(configured.noiseModel == found.noiseModel && configured.keptShare == 0.8)
  }

  @Test(
    "a calibration that says too little is refused in one line",
    arguments: [
      "noise: 3\n", "noise:\n- {a: 1, b: 0}\n", "a: [\n",
      "noise:\n- {a: 0, b: 0}\n- {a: 1, b: 0}\n- {a: 1, b: 0}\n",
    ])
  func badCalibration(_ text: String) throws {
    let path = try write(text)
    #expect { try options(["--calibration", path]) } throws: { error in
      guard let failure = Failure(error) else { return false }
      return failure.code.rawValue == 65 && !failure.message.contains("\n")
        && failure.message.contains("noise")
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
